import { describe, expect, test } from 'vitest'
import type { Question } from '../../../contract/agent.ts'
import type { Answer } from '../../../contract/host.ts'
import { chooseOption, type Dialog } from './choose-option.ts'

const options: Dialog['options'] = [
  { label: 'Yes, and bypass permissions', keys: ['1'], means: 'other' },
  { label: 'Yes, manually approve edits', keys: ['2'], means: 'allow' },
  { label: 'Tell Claude what to change', keys: ['3'], means: 'other', takesText: true },
]
const plan: Dialog = { kind: 'dialog', name: 'plan', asks: 'plan', text: 'Would you like to proceed?', options }
const permission: Dialog = {
  kind: 'dialog',
  name: 'permission',
  asks: 'permission',
  text: 'Bash command\n  touch a.txt\nDo you want to proceed?',
  options: [
    { label: 'Yes', keys: ['1'], means: 'allow' },
    { label: 'No', keys: ['3', 'Enter'], means: 'deny' },
  ],
}
const asked = (given: Partial<Question>): Question => ({
  id: 'q',
  kind: 'permission',
  tool: 'Bash',
  input: { command: 'touch a.txt' },
  summary: '',
  ...given,
})
const planned = asked({ kind: 'plan', tool: 'ExitPlanMode', input: { plan: '1. Do it' } })
const [allow, deny] = [{ kind: 'allow' } as const, { kind: 'deny', message: null } as const]
const say = (text: string): Answer => ({ kind: 'text', text })

describe('what is pressed', () => {
  test.each<[string, Dialog, Question, Answer, object]>([
    ['a permission', permission, asked({}), allow, { keys: ['1'], text: null }],
    ['a refusal', permission, asked({}), deny, { keys: ['3', 'Enter'], text: null }],
    ['the name of an option', permission, asked({}), say('no'), { keys: ['3', 'Enter'], text: null }],
    ['a plan: no more than was asked', plan, planned, allow, { keys: ['2'], text: null }],
    ['a plan by number', plan, planned, say('1'), { keys: ['1'], text: null }],
    ['a plan sent back', plan, planned, deny, { keys: ['3'], text: 'Not like this.' }],
    ['a plan sent back by policy', plan, planned, { kind: 'deny', message: 'No.' }, { keys: ['3'], text: 'No.' }],
    ['feedback', plan, planned, say('Look twice.'), { keys: ['3'], text: 'Look twice.' }],
    ['a dialog known by its screen', permission, asked({ id: 'screen:x', tool: 'permission' }), allow, { keys: ['1'] }],
  ])('%s', (_, dialog, question, answer, choice) => {
    expect(chooseOption(dialog, question, answer)).toMatchObject(choice)
  })
})

describe('nothing is pressed', () => {
  test.each<[string, Dialog, Question]>([
    ['in a dialog about another command', permission, asked({ input: { command: 'rm -r /' } })],
    ['in a dialog of another kind', plan, asked({ input: {} })],
    ['in a dialog that another has replaced', plan, asked({ id: 'screen:permission', tool: 'permission' })],
  ])('%s', (_, dialog, question) => {
    expect(() => chooseOption(dialog, question, allow)).toThrow('Another dialog is open by now')
  })

  test('for words where none can be written', () => {
    expect(() => chooseOption(permission, asked({}), say('Use mv.'))).toThrow('This dialog takes: 1. Yes, 2. No.')
  })

  test('for a yes where there is none', () => {
    const question = asked({ kind: 'question', input: {} })
    const dialog: Dialog = { ...permission, asks: 'question', options: [{ label: 'Red', keys: ['1'], means: 'other' }] }
    expect(() => chooseOption(dialog, question, allow)).toThrow('This dialog takes: 1. Red.')
  })
})
