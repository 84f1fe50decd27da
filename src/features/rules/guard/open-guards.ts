import { homedir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { isAlive } from '../../../contract/agent.ts'
import { prefilterFile } from './prefilter.ts'
import { writeFileAtomic } from '../../../base/util/atomic-write.ts'
import { onBeat } from '../../../base/util/beat.ts'
import { Guards } from './guards.ts'
import type { Agents } from '../../../agents/agents.ts'
import type { Base } from '../../../base/base.ts'
import type { RuleBook } from '../book.ts'

const lookMs = 5000

/** Runs before requests are served: an old guard file may hold rules that are gone. What is returned ends the looking for new ones. */
export const openGuards = async (
  { paths, settings, troubleIn }: Base,
  { supervisor }: Agents,
  book: RuleBook,
): Promise<() => void> => {
  if (!settings['rules.enabled']) {
    await writeFileAtomic(paths.guards, prefilterFile([]))
    return () => undefined
  }
  const { readRegister } = await import('../../deploy/register.ts')
  const onTrouble = troubleIn('guards')
  const setUp = (): string[] =>
    readRegister(paths.state)
      .installations.map(({ project }) => project)
      .filter((project) => project !== '')
  const script = fileURLToPath(new URL('./guard-judge.js', import.meta.url))
  const guards = new Guards({
    book,
    file: paths.guards,
    places: () => [...supervisor.agents.filter(({ state }) => isAlive(state)).map(({ cwd }) => cwd), ...setUp()],
    judge: { node: process.execPath, script, home: homedir(), ...paths },
    onTrouble,
  })
  await guards.open().catch(onTrouble)
  return onBeat(lookMs, () => void guards.look().catch(onTrouble))
}
