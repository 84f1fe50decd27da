import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { randomLines, shapedLines, worstLine } from '../support/costly-lines.ts'
import { testSeed } from '../support/seeded.ts'
import { boxWithRules, guarded } from './costly-box.ts'
import type { Box } from './harness.ts'
import { hookCaller } from './hook-caller.ts'

/** Both answer: whoever asks about the line, and whoever asks something else meanwhile. */
const guardedMeanwhile = async (box: Box, command: string): Promise<string> => {
  const [said, agents] = await Promise.all([guarded(box, command), box.client({ start: false }).ps({})])
  expect(agents).toEqual([])
  return said
}

test('no line holds the daemon: the costly ones are denied as such, and it answers others meanwhile', async () => {
  const box = await boxWithRules()
  expect(await guardedMeanwhile(box, worstLine)).toMatch(/^deny\n.*this line is too costly to read/)
  const lines = [...shapedLines(400), ...randomLines(testSeed, 20)]
  for (const line of lines) expect(await guardedMeanwhile(box, line)).toMatch(/^(pass|deny\n[^]*)\nrein-end\n$/)
  expect(await guarded(box, 'git push -f')).toContain('Not this one.')
})

test('a fault in reading stops nobody: the line is denied, and the next one read', async () => {
  const box = await boxWithRules({ REIN_FAULT: 'hang_reading' })
  const [hung, next] = await Promise.all([
    guardedMeanwhile(box, 'git log hang-here'),
    guardedMeanwhile(box, 'git push -f'),
  ])
  expect(hung).toMatch(/^deny\n.*too costly to read/)
  expect(next).toContain('Not this one.')
  expect(await guarded(box, 'git log')).toBe('pass\nrein-end\n')
  expect(box.log().filter(({ where }) => where === 'shell')).toMatchObject([
    { reason: expect.stringContaining('did not end in time') },
  ])
})

test('a costly line that was written down is told in the story as any other', async () => {
  const box = await boxWithRules()
  const call = await hookCaller(box, { atTheEnd: onTestFinished, deadlineMs: 200 })
  const transcript_path = join(box.root, 'c1.jsonl')
  const entry = (uuid: string, parentUuid: string | null, type: string, content: unknown) =>
    `${JSON.stringify({ type, uuid, parentUuid, sessionId: 'c1', timestamp: new Date().toISOString(), message: { role: type, content } })}\n`
  const used = [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: worstLine } }]
  const ended = [{ type: 'tool_result', tool_use_id: 't1', content: 'done' }]
  writeFileSync(transcript_path, entry('p', null, 'user', 'Go.') + entry('e', 'p', 'assistant', used))
  await call('SessionStart', { source: 'resume', transcript_path })
  writeFileSync(transcript_path, entry('r', 'e', 'user', ended), { flag: 'a' })
  await call('PostToolUse', {
    transcript_path,
    tool_name: 'Bash',
    tool_input: { command: worstLine },
    tool_use_id: 't1',
    tool_response: { stdout: 'done' },
  })
  const [{ handle } = { handle: '' }] = await box.client().ps({})
  const commands = async () => {
    const { moments } = await box.client().story({ cwd: box.cwd, target: handle })
    return moments.flatMap(({ turn }) => turn?.commands.map(({ command }) => command.slice(0, 6)) ?? [])
  }
  await expect.poll(commands, { timeout: 60_000 }).toEqual([worstLine.slice(0, 6)])
})
