import { describe, expect, test } from 'vitest'
import { tempDir } from '../../../test/support/builders.ts'
import { reminder, taskPrompt } from './prompts.ts'
import { rosterOf } from './roster.ts'
import { textPath, writeTexts } from './texts.ts'

const start = () => {
  const task = { root: tempDir(), name: 'parser' }
  writeTexts(task, { spec: 'Parse dates.', prompt: 'Be quick.' })
  const roster = rosterOf({ name: 'parser', worktrees: 'none' }, 2, ['claude', 'codex'])
  const prompts = roster.map((own) => taskPrompt(task, own, roster))
  return { task, prompts }
}

describe('the first prompt', () => {
  test('of the lead has the spec, what else was said, and who there is', () => {
    const { prompts } = start()
    const [text] = prompts
    expect(text).toMatch(
      /^You are parser-lead, the lead of the task parser\.\nYour team: parser-1 \(claude\), parser-2 \(codex\)\./,
    )
    for (const part of ['Parse dates.', 'Be quick.', 'rein-lead', 'room parser', 'rein lease take'])
      expect(text).toContain(part)
  })

  test('of the others says who leads, how to tell them, and where the spec is', () => {
    const { prompts, task } = start()
    const [, , text] = prompts
    expect(text).toContain('Your team: parser-lead (lead, claude), parser-1 (claude).')
    expect(text).toContain('rein task report blocker|progress|review-request TEXT (tool tell_lead)')
    expect(text).toContain(textPath(task, 'SPEC.md'))
    expect(text).not.toContain('Parse dates.')
  })

  test('of one that is alone has the whole task and nobody to talk to', () => {
    const { task } = start()
    const own = { handle: 'parser-1', role: 'member' as const, driver: 'claude' }
    const text = taskPrompt(task, own, [own])
    expect(text).toContain('Nobody else works on it.')
    expect(text).toContain('Parse dates.')
    expect(text).not.toContain('rein task report')
  })

  test('says so when there is no spec', () => {
    const own = { handle: 'parser-lead', role: 'lead' as const, driver: 'claude' }
    expect(taskPrompt({ root: tempDir(), name: 'parser' }, own, [own])).toContain('is not there: ask for it')
  })
})

test('a fresh conversation is told which task it is at, and where the spec is', () => {
  const { task } = start()
  const text = reminder(task, { handle: 'parser-lead', role: 'lead' })
  expect(text).toMatch(/^You are parser-lead, the lead of the task parser\. The spec is .*SPEC\.md/)
})
