import { describe, expect, test } from 'vitest'
import type { Question } from '../../../contract/agent.ts'
import type { Answer } from '../../../contract/host.ts'
import { chooseOption, type Dialog, idOf } from './choose-option.ts'

const options: Dialog['options'] = [
  { label: 'Yes, and bypass permissions', keys: ['1'], means: 'other' },
  { label: 'Yes, manually approve edits', keys: ['2'], means: 'allow' },
  { label: 'Tell Claude what to change', keys: ['3'], means: 'other', takesText: true },
]
const asks = 'Would you like to proceed?'
const plan: Dialog = { kind: 'dialog', name: 'plan', asks: 'plan', about: asks, text: asks, options }
const permission: Dialog = {
  kind: 'dialog',
  name: 'permission',
  asks: 'permission',
  about: 'Bash command\n  touch a.txt\nDo you want to proceed?',
  text: 'Bash command\n  touch a.txt\nDo you want to proceed?\n❯ 1. Yes\n  3. No',
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
const about = (text: string): Dialog => ({ ...permission, about: text, text })
const fetching = about('Fetch\n  url: "https://example.com/a"\nDo you want to allow Claude to fetch this content?')
const fetched = (url: string): Question => asked({ tool: 'WebFetch', input: { url, prompt: 'What is it?' } })
const noting = about('Tool use\n  notes - add_note(text: "buy\n  milk", in: "a.md") (MCP)\nDo you want to proceed?')
const asking: Dialog = {
  ...about('Which?'),
  asks: 'question',
  options: [{ label: 'Red', keys: ['1'], means: 'other' }],
}
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
    ['a dialog known by its screen', permission, asked({ id: idOf(permission), input: {} }), allow, { keys: ['1'] }],
    ['what is fetched', fetching, fetched('https://example.com/a'), allow, { keys: ['1'] }],
    [
      'a tool of a server, by its name',
      noting,
      asked({ tool: 'mcp__n__add_note', input: { n: 1 } }),
      allow,
      { keys: ['1'] },
    ],
    ['what is given to it', noting, asked({ tool: 'add', input: { notes: ['buy milk'] } }), allow, { keys: ['1'] }],
    [
      'a path by its last part',
      noting,
      asked({ tool: 'edit', input: { filepath: '/home/dev/a.md' } }),
      deny,
      { keys: ['3', 'Enter'] },
    ],
    [
      'a question by its words',
      asking,
      asked({ kind: 'question', input: { questions: [{ question: 'Which?' }] } }),
      say('red'),
      { keys: ['1'] },
    ],
    [
      'a question of which nothing is told',
      asking,
      asked({ kind: 'question', input: {} }),
      say('red'),
      { keys: ['1'] },
    ],
  ])('%s', (_, dialog, question, answer, choice) => {
    expect(chooseOption(dialog, question, answer)).toMatchObject(choice)
  })
})

describe('nothing is pressed', () => {
  test.each<[string, Dialog, Question]>([
    ['in a dialog about another command', permission, asked({ input: { command: 'rm -r /' } })],
    ['in a dialog of another kind', plan, asked({ input: {} })],
    ['in a dialog that another has replaced', plan, asked({ id: idOf(permission), tool: 'permission' })],
    ['in one of the same name about something else', fetching, asked({ id: idOf(permission), tool: 'permission' })],
    ['where something else is fetched', fetching, fetched('https://example.org/b')],
    ['for another tool of the server', noting, asked({ tool: 'mcp__notes__drop_all', input: {} })],
    ['where nothing can be compared', permission, asked({ tool: 'permission', input: {} })],
    ['where what is given is said by the options only', permission, asked({ tool: 'add', input: { say: 'Yes' } })],
    ['where too little is given to tell', noting, asked({ tool: 'add', input: { note: 'bu' } })],
    ['for another question', asking, asked({ kind: 'question', input: { questions: [{ question: 'Why?' }] } })],
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

describe('the id of a dialog', () => {
  test('stays while the mark is moved, the terminal narrowed, a draft written', () => {
    const narrowed = about('╭──╮\nBash command\n  touch\n  a.txt\n╰──╯\nDo you want to proceed?')
    expect(idOf({ ...narrowed, text: 'anything', options: [] })).toBe(idOf(permission))
  })

  test.each(['^[[O', '^[[I', '^[[B^[[B', '^[OB', '^[[?62;4c', '^[]11;rgb:1e1e/2020/2a2a^[\\', '^[]11;rgb:0/0/0^G'])(
    'stays when the CLI draws over %s, which the terminal echoed',
    (echo) => {
      expect(idOf(about(`${echo}╭──╮\nBash command\n touch a.txt\nDo you want to proceed?`))).toBe(idOf(permission))
    },
  )

  test('is another where an echo without an end stands before other words', () => {
    const [one, other] = [about('^[]11;rgb touch b.txt'), about('^[]11;rgb touch c.txt')]
    expect(idOf(one)).not.toBe(idOf(other))
    expect(idOf(one)).toMatch(/:[\da-f]{32}$/)
  })

  test('is another for another command, and for another dialog with the same words', () => {
    const others = [about('touch b.txt'), about('touch c.txt'), permission, { ...permission, name: 'trust' as const }]
    expect(new Set(others.map(idOf)).size).toBe(4)
  })
})
