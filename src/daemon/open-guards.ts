import { homedir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { isAlive } from '../contract/agent.ts'
import { prefilterFile } from '../features/rules/guard/prefilter.ts'
import { writeFileAtomic } from '../base/util/atomic-write.ts'
import { onBeat } from '../base/util/beat.ts'
import { Guards } from './guards.ts'
import type { Services } from './services.ts'

const lookMs = 5000

/** Before anybody is served: a guard file of yesterday may hold what is no rule any more. */
export const openGuards = async ({ rules, paths, settings, supervisor, journal }: Services): Promise<void> => {
  if (!settings['rules.enabled']) return writeFileAtomic(paths.guards, prefilterFile([]))
  const { readRegister } = await import('../features/deploy/register.ts')
  const onTrouble = (cause: unknown): void => journal.write('trouble', { where: 'guards', reason: String(cause) })
  const setUp = (): string[] =>
    readRegister(paths.state)
      .installations.map(({ project }) => project)
      .filter((project) => project !== '')
  const script = fileURLToPath(new URL('./guard-judge.js', import.meta.url))
  const guards = new Guards({
    book: rules.book,
    file: paths.guards,
    places: () => [...supervisor.agents.filter(({ state }) => isAlive(state)).map(({ cwd }) => cwd), ...setUp()],
    judge: { node: process.execPath, script, home: homedir(), ...paths },
    onTrouble,
  })
  await guards.open().catch(onTrouble)
  onBeat(lookMs, () => void guards.look().catch(onTrouble))
}
