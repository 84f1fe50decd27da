import { once } from 'node:events'
import type { Receipt } from '../../contract/directive.ts'
import type { CliContext } from '../context.ts'
import { setStage, type Stage } from '../demo/stage.ts'
import { type Scene, scenes, task } from '../demo/story.ts'
import { stepLine } from '../receipt-text.ts'

const handle = 'worker-1'

/** Rein's main job before the user's eyes: tell a running agent something, and see that it arrived. */
export const run = async (context: CliContext, { once: isOnce = false }: { once?: boolean }): Promise<void> => {
  const { out } = context
  out.line(
    out.style.bold(
      'Rein demo: a real Claude Code, a scripted model in place of an account. Nothing leaves this machine.',
    ),
  )
  const stage = await setStage(context.env)
  try {
    await start(context, stage)
    const states: string[] = []
    for (const scene of scenes) states.push(await play(context, stage, scene))
    if (states.some((state) => state !== 'acked')) context.exitWith(1)
    if (isOnce) return farewell(context, states)
    inviteToTry(context, stage)
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  } finally {
    await stage.clear()
  }
}

const start = async ({ out }: CliContext, { client, project, agentEnv }: Stage): Promise<void> => {
  out.line(`\n${out.style.cyan('$')} rein up ${handle} --prompt "Add a farewell to greeting.txt."`)
  const request = { cwd: project, prompt: task, permissionMode: 'bypassPermissions' }
  const agent = await client.up({ handle, driver: 'claude', host: 'stream', request, env: agentEnv })
  out.line(
    `  ${handle} is ${agent.state}: Claude Code ${agent.version}, pid ${agent.pid}, conversation ${agent.conversation}`,
  )
}

/** Tells, lets the model go on, and shows each step of the receipt as it comes. */
const play = async (
  { out, now }: CliContext,
  { client, project, reached, release }: Stage,
  { title, text, gate }: Scene,
): Promise<string> => {
  await reached(gate)
  out.line(`\n${out.style.bold(title)}`)
  out.line(`${out.style.cyan('$')} rein tell ${handle} ${JSON.stringify(text)} --wait acked`)
  const told = await client.tell({ target: handle, cwd: project, text, from: 'you' })
  out.line(`  ${told.id}`)
  out.line(`  ${told.delivery}`)
  release(gate)
  let shown = 0
  let last: Receipt = told
  for await (const receipt of client.follow(told.id, 'closed', AbortSignal.timeout(60_000))) {
    for (const step of receipt.steps.slice(shown)) out.line(stepLine(step, now(), out.style))
    shown = receipt.steps.length
    last = receipt
  }
  return last.state
}

const farewell = ({ out }: CliContext, states: string[]): void => {
  const acked = states.filter((state) => state === 'acked').length
  out.line(
    `\n${acked} of ${states.length} directives acked, each step with its evidence from the agent's own transcript.`,
  )
  out.line('Try it with your own agent:  rein up worker-1 --prompt "…"   then   rein tell worker-1 "…" --wait seen')
}

const inviteToTry = ({ out }: CliContext, { home, project }: Stage): void => {
  out.line(`\n${out.style.bold('The agent is still there. In another terminal:')}`)
  out.line(`  export REIN_HOME=${home}; cd ${project}`)
  out.line(`  npx rein ps`)
  out.line(`  npx rein tell ${handle} "Anything you like." --wait acked`)
  out.line(`  npx rein logs ${handle}`)
  out.line('Ctrl-C here ends the demo and leaves nothing behind.')
}
