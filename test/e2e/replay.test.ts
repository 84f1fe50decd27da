import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ReplayView } from '../../src/contract/replay-api-types.ts'
import type { SimRequest } from '../../src/sim/recorder.ts'
import { cliNamed } from '../clis.ts'
import { startRein, type TestRein } from './harness.ts'
import { messagesOf } from './messages.ts'
import { call, fill, files, gitOf, turnsReach, walk } from './session-walk.ts'
import { idle } from './terminal.ts'

const asAda = 'git -c user.name=Ada -c user.email=ada@localhost'

/** Write, Edit, shell, parallel calls, a command that fails, thoughts, and a commit. */
const fourTurns = (cwd: string): string[] => [
  `${call('Write', { file_path: join(cwd, 'made.txt'), content: 'one\ntwo\n' })} ;; RUN:chmod 755 run.sh ;; SAY:first`,
  `THINK:which one ;; ${call('Edit', { file_path: join(cwd, 'made.txt'), old_string: 'two', new_string: 'three' })} ;; SAY:second`,
  `PAR:RUN:cat made.txt && RUN:echo more >> kept.txt && RUN:git log --oneline ;; RUN:pwd && cat nothing.txt ;; SAY:third`,
  `RUN:rm gone.txt && mkdir -p deep/er && mv moved.txt deep/er/ && git add -A && ${asAda} commit -qm more ;; SAY:fourth`,
]

const replay = async ({ rein }: TestRein, ...args: string[]): Promise<{ code: number; view: ReplayView }> => {
  const { code, stdout, stderr } = await rein('session', 'replay', 'worker', '--json', ...args)
  if (stdout === '') throw new Error(stderr)
  return { code, view: JSON.parse(stdout) as ReplayView }
}

test('Claude Code: what was recorded happens again', async () => {
  const walked = await walk({ promptsIn: fourTurns })
  const before = [files(walked.cwd), gitOf(walked.cwd)]
  const { code, view } = await replay(walked, '--turns', '4')
  console.log(code, JSON.stringify(view, null, 1))
  expect([files(walked.cwd), gitOf(walked.cwd)]).toEqual(before)
  const denied = await walked.rein('session', 'replay', 'worker', '--turns', '2..3')
  console.log(denied)
})

test('codex', async () => {
  const rein = await startRein({ cli: cliNamed('codex'), scenario: '' })
  fill(rein.cwd)
  const prompts = [
    'RUN:echo one > made.txt ;; SAY:first',
    'PAR:RUN:cat made.txt && RUN:echo two >> other.txt ;; SAY:second',
    'RUN:cat nothing.txt ;; THINK:hm ;; SAY:third',
    'RUN:rm gone.txt ;; SAY:fourth'
  ]
  const target = { target: 'worker', cwd: rein.cwd }
  for (const [at, prompt] of prompts.entries()) {
    if (at === 0) await rein.up(prompt)
    else await rein.client.prompt({ ...target, text: prompt })
    await turnsReach(rein, target, at + 1)
    await idle(rein)
  }
  const { code, view } = await replay(rein, '--turns', '2..')
  console.log(code, JSON.stringify(view, null, 1))
})
