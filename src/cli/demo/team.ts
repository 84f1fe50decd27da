import { resolve } from 'node:path'
import type { CliContext, JsonFlag } from '../context.ts'
import { hasCodex, interruption, onStage, type Stage } from './stage.ts'
import { playTeam } from './team-play.ts'
import { files, scenario, settings, task } from './team-script.ts'
import { refuseForeign } from '../story/page/write.ts'
import { run as tellStory } from '../story/handler.ts'
import { isInteractive } from '../tui/terminal/terminal.ts'

interface TeamFlags {
  once?: boolean
  output?: string
}

type Show = (line: string) => void

/** A team before the user's eyes, from the split of its task to the story of it. */
export const run = async (context: CliContext, flags: TeamFlags & JsonFlag): Promise<void> => {
  const { out, env, cwd } = context
  if (flags.output !== undefined) refuseForeign(resolve(cwd(), flags.output))
  const show = flags.json ? () => undefined : (line: string) => out.line(line)
  show(out.style.bold('Rein demo: a team of real agents, with a scripted model. Nothing leaves this machine.'))
  const drivers = hasCodex(env) ? ['claude', 'codex'] : ['claude']
  if (drivers.length === 1)
    show('Codex is not installed, so all of them are Claude Code. For two vendors: npm install --global @openai/codex')
  await onStage(env, { project: 'calendar', files, scenario, settings }, async (stage) => {
    const launch = { host: 'stream' as const, drivers, autoApprove: true, env: stage.agentEnv }
    await playTeam({ ...stage, launch }, { show, style: out.style })
    await finish(context, stage, flags, show)
    if (flags.once || !isInteractive(env)) {
      const rein = context.command()
      if (flags.output === undefined) show(`\nThe story as a page: ${rein} demo team --once -o story.html`)
      show(
        `Try it with your own task, in your project: ${rein} orchestrate parser --agents 2 --prompt 'Parse ISO dates'`,
      )
      return
    }
    const rein = context.command()
    show(`\n${out.style.bold('Everything is still there to look at. In another terminal:')}`)
    show(`  export REIN_HOME=${stage.home}`)
    show(`  cd ${stage.project}`)
    show(`  ${rein} story ${task} -o story.html`)
    show(`  ${rein} task show ${task}`)
    show(`  ${rein} chat read ${task}`)
    show('Ctrl-C here ends the demo and leaves nothing behind.')
    await interruption()
  })
}

/** What a person does when a team is done, and how they read its story. */
const finish = async (
  context: CliContext,
  { client, project }: Stage,
  { output, json }: TeamFlags & JsonFlag,
  show: Show,
): Promise<void> => {
  const prompt = context.out.style.cyan('$')
  show(`\n${prompt} rein task done ${task}`)
  const { state } = await client.finishTask({ cwd: project, name: task })
  show(`  ${task} is ${state}: its agents are down.`)
  const there = { ...context, connect: () => client, cwd: () => project }
  const page = output === undefined ? undefined : resolve(context.cwd(), output)
  if (json) return tellStory(there, { json, output: page }, task)
  show(`\n${prompt} rein story ${task}`)
  await tellStory(there, {}, task)
  if (page === undefined) return
  show(`\n${prompt} rein story ${task} -o ${output}`)
  await tellStory(there, { output: page }, task)
}
