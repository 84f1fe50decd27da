import type { Client } from '../../client/client.ts'
import { ReinError } from '../../contract/errors.ts'
import type { TeamLaunchRequest } from '../../contract/routes/tasks.ts'
import type { Style } from '../output.ts'
import { first, gates, lead, parts, said, second, shared, spec, task } from './team-script.ts'
import { createWitness, inVain, stepLimitMs } from './team-witness.ts'

/** A project, a daemon, and a scripted model that waits at gates. */
interface TeamStage {
  client: Client
  project: string
  launch: TeamLaunchRequest
  reached(gate: string): Promise<void>
  release(gate: string): void
}

interface Audience {
  show: (line: string) => void
  style: Style
}

/** A team splits a task, gets in each other's way, loses one, and finishes: each step is told when the log has it. */
export const playTeam = async (stage: TeamStage, { show, style }: Audience): Promise<void> => {
  const witness = createWitness(stage.client, show, style)
  const scene = (title: string): void => show(`\n${style.bold(title)}`)
  const { client, project, launch } = stage
  const flags = `--agents 2 --drivers ${launch.drivers.join(',')} --host ${launch.host} --spec spec.md`
  show(`\n${style.cyan('$')} rein orchestrate ${task} ${flags}`)
  const { problems } = await client.orchestrate({ cwd: project, name: task, agents: 2, launch, spec })
  if (problems.length > 0) throw new ReinError('failed', `The team could not be started: ${problems.join(' ')}`)
  for (const { handle, driver, version, pid } of await client.ps({}))
    show(`  ${style.cyan(handle)}: ${driver} ${version}, pid ${pid}`)

  scene('The lead splits the task:')
  await witness.told(lead, first, parts.first)
  await witness.told(lead, second, parts.second)
  await witness.posted(lead, said.split)

  scene(`Both need ${shared}. ${first} takes a lease on it; ${second} writes there all the same:`)
  await witness.took(first)
  await stage.reached(gates.inTheMiddle)
  stage.release(gates.leaseTaken)
  await witness.denied(second)

  scene(`${second} tells the lead, which is idle and is woken. Meanwhile ${first} is killed in the middle of its work:`)
  await witness.published('blocker', second)
  const agent = (await client.ps({})).find((one) => one.handle === first)
  if (typeof agent?.pid !== 'number') throw new ReinError('failed', `${first} does not run.`)
  show(`  ${style.cyan('$')} kill -9 ${agent.pid}`)
  process.kill(agent.pid, 'SIGKILL')
  await witness.cameBack(first, agent.conversation)

  scene(`The lead answers, and ${first} finishes what it was at:`)
  await witness.told(lead, first, parts.release)
  await witness.released(first)
  await witness.published('review-request', first)

  scene(`${shared} is free, and ${second} goes on:`)
  await witness.told(lead, second, parts.goOn)
  await witness.published('review-request', second)
  await witness.posted(lead, said.report)
  await everybodyIdle(stage.client)
}

export const everybodyIdle = async (client: Pick<Client, 'watch'>): Promise<void> => {
  for await (const { agents } of client.watch({}, AbortSignal.timeout(stepLimitMs)))
    if (agents.every(({ state }) => state === 'idle')) return
  throw inVain('everybody to be idle')
}
