import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ReplayView } from '../../src/contract/replay-api-types.ts'
import { call, files, gitOf, walk, type Walked } from './session-walk.ts'

/** Write, Edit, shell, parallel calls, a command that fails, and thoughts. */
const fourTurns = (cwd: string): string[] => [
  `${call('Write', { file_path: join(cwd, 'made.txt'), content: 'one\ntwo\n' })} ;; RUN:chmod 755 run.sh ;; SAY:first`,
  `THINK:which one ;; ${call('Edit', { file_path: join(cwd, 'made.txt'), old_string: 'two', new_string: 'three' })} ;; SAY:second`,
  `PAR:RUN:cat made.txt && RUN:echo more >> kept.txt && RUN:git log --oneline ;; RUN:cat nothing.txt ;; SAY:third`,
  `RUN:rm gone.txt && mkdir -p deep/er && mv moved.txt deep/er/ && git add -A && git commit -qm more ;; SAY:fourth`,
]

const replayed = async ({ rein }: Walked, ...args: string[]): Promise<{ code: number; view: ReplayView }> => {
  const { code, stdout, stderr } = await rein('session', 'replay', 'worker', '--json', ...args)
  if (stdout === '') throw new Error(stderr)
  return { code, view: JSON.parse(stdout) as ReplayView }
}

test('Claude Code: what was recorded happens again', async () => {
  const walked = await walk({ promptsIn: fourTurns })
  const before = [files(walked.cwd), gitOf(walked.cwd)]
  const { code, view } = await replayed(walked)
  console.log(code, JSON.stringify(view, null, 1))
  expect([files(walked.cwd), gitOf(walked.cwd)]).toEqual(before)
})
