import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Receipt } from '../../contract/directive.ts'
import { shortId } from '../../contract/ids.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { interruption, onStage, type Stage } from './stage.ts'
import { files, type Scene, scenario, scenes, settings, task, treasure } from './tell-story.ts'
import { stepLine } from '../directives/text.ts'
import { isInteractive } from '../tui/terminal/terminal.ts'

const handle = 'worker-1'
const sceneLimitMs = 60_000

export interface TellFlags {
  once?: boolean
}

/** Rein's main job before the user's eyes: tell a running agent something, and see that it arrived. */
export const run = async (
  context: CliContext,
  { once: isOnce = false, json = false }: TellFlags & JsonFlag,
): Promise<void> => {
  const { out } = context
  const show = json ? () => undefined : (line: string) => out.line(line)
  show(
    out.style.bold(
      'Rein demo: a real Claude Code, a scripted model in place of an account. Nothing leaves this machine.',
    ),
  )
  await onStage(context.env, { project: 'greeter', files, scenario, settings }, async (stage) => {
    const { client, project, agentEnv } = stage
    show(`\n${out.style.cyan('$')} rein up ${handle} --prompt "Add a farewell to greeting.txt."`)
    const request = { cwd: project, prompt: task, permissionMode: 'bypassPermissions' }
    const agent = await client.up({ handle, driver: 'claude', host: 'stream', request, env: agentEnv })
    show(`  ${handle} is ${agent.state}: Claude Code ${agent.version}, pid ${agent.pid}`)
    const receipts: Receipt[] = []
    for (const scene of scenes) receipts.push(await play(context, stage, scene, show))
    if (receipts.some(({ state }) => state !== 'acked')) context.exitWith(1)
    if (json) out.document(receipts)
    const rein = context.command()
    if (isOnce || !isInteractive(context.env)) {
      const acked = receipts.filter(({ state }) => state === 'acked').length
      show(
        `\n${acked} of ${receipts.length} directives acked, each step with its evidence from the agent's own transcript.`,
      )
      show('Try it with your own agent, in your project:')
      show(`  ${rein} up worker-1 --prompt "Say hello."`)
      show(`  ${rein} tell worker-1 "Use tabs, not spaces." --wait seen`)
      return
    }
    show(`\n${out.style.bold('The agent is still there. In another terminal:')}`)
    show(`  export REIN_HOME=${stage.home}`)
    show(`  cd ${project}`)
    show(`  ${rein} ps`)
    show(`  ${rein} tell ${handle} "Anything you like." --wait acked`)
    show(`  ${rein} logs ${handle}`)
    show('Ctrl-C here ends the demo and leaves nothing behind.')
    await interruption()
  })
}

type Show = (line: string) => void

/** Tells, lets the model go on, and shows each step of the receipt as it comes. */
const play = async ({ out, now }: CliContext, stage: Stage, scene: Scene, show: Show): Promise<Receipt> => {
  const { client, project } = stage
  await untilReady(stage, scene)
  show(`\n${out.style.bold(scene.title)}`)
  if (scene.when === 'daemon killed') {
    const { pid } = await client.status()
    show(`${out.style.cyan('$')} kill -9 ${pid}`)
    process.kill(pid, 'SIGKILL')
  }
  const flags = scene.priority === 'normal' ? '' : ` --priority ${scene.priority}`
  show(`${out.style.cyan('$')} rein tell ${handle} ${JSON.stringify(scene.text)}${flags} --wait acked`)
  const told = await client.tell({
    target: handle,
    cwd: project,
    text: scene.text,
    from: 'you',
    priority: scene.priority,
  })
  show(`  ${shortId(told.id)}`)
  show(`  ${told.delivery}`)
  if (typeof scene.when === 'object') stage.release(scene.when.gate)
  let shown = 0
  let last: Receipt = told
  for await (const receipt of client.follow({ id: told.id, until: 'closed' }, AbortSignal.timeout(sceneLimitMs))) {
    for (const step of receipt.steps.slice(shown)) show(stepLine(step, { now: now(), style: out.style }))
    shown = receipt.steps.length
    last = receipt
  }
  if (scene.priority === 'urgent')
    show(
      `  ${existsSync(join(project, treasure)) ? `The command did not run: ${treasure} is still there.` : `${treasure} is gone.`}`,
    )
  return last
}

const untilReady = async ({ client, reached }: Stage, { when }: Scene): Promise<void> => {
  if (typeof when === 'object') return reached(when.gate)
  for await (const _ of client.tail({ topic: 'agents', after: 0, follow: true })) {
    const [agent] = await client.ps({})
    if (agent?.state === 'idle') return
  }
}
