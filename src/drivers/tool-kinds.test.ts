import { describe, expect, test } from 'vitest'
import { tiny } from '../../test/conformance/sixth-driver.ts'
import type { Action } from '../contract/action.ts'
import { drivers } from './registry.ts'
import { kindOf, type ToolKind, toolsOfKind } from './tool-kinds.ts'

const kindOfAction: Partial<Record<Action['kind'], ToolKind>> = {
  shell: 'shell',
  write: 'change',
  edit: 'change',
  delete: 'change',
  move: 'change',
  unreadable: 'change',
  read: 'read',
  fetch: 'fetch',
}

/** Addresses stand in a text for some tools. */
const input = { url: 'https://a.example', prompt: 'https://a.example', description: 'https://a.example' }

describe.each([...drivers, tiny])('$name', (driver) => {
  const { own, told } = driver.tools
  const names = Object.keys({ ...told, ...own })

  test('what rules see of a tool is what its kind says', () => {
    const seen = names.map((name) => {
      const [action] = driver.actions(name, input).actions
      return [name, action === undefined ? null : kindOfAction[action.kind]]
    })
    const looked: readonly ToolKind[] = ['shell', 'change', 'read', 'fetch']
    const expected = names.map((name) => {
      const kind = kindOf(driver, name) === 'poll' ? 'shell' : kindOf(driver, name)
      return [name, looked.includes(kind) ? kind : null]
    })
    expect(seen).toEqual(expected)
  })

  test('a tool that it does not know, or one of a server, may do anything', () => {
    const { prefix = '', between = '_' } = driver.tools.mcp ?? {}
    for (const name of ['NewTool', 'toString', `${prefix}server${between}read`])
      expect(kindOf(driver, name)).toBe('any')
  })

  test('a tool of a server has none of its names', () => {
    const prefix = driver.tools.mcp?.prefix ?? ''
    expect(names.filter((name) => prefix !== '' && name.startsWith(prefix))).toEqual([])
  })

  test('the guard, which knows names in lower case, finds the same kind', () => {
    const kinds = new Map(names.map((name) => [name.toLowerCase(), kindOf(driver, name)]))
    expect(names.filter((name) => kinds.get(name.toLowerCase()) !== kindOf(driver, name))).toEqual([])
  })

  test('the tools that its model is advised to use do what is wanted of them', () => {
    const { read, edit, write, search, find } = driver.fileTools(driver.minVersion)
    const kinds = (all: readonly (string | null)[]): ToolKind[] =>
      all.flatMap((name) => (name === null ? [] : kindOf(driver, name)))
    expect(new Set(kinds([read, search, find]))).toEqual(new Set(read === null ? [] : ['read']))
    expect(new Set(kinds([edit, write]))).toEqual(new Set(edit === null ? [] : ['change']))
  })
})

test('sub-agents are started by one tool, whatever it was called', () => {
  expect(drivers.map((driver) => [driver.name, ...toolsOfKind(driver, 'agent')])).toEqual([
    ['claude', 'Agent', 'Task'],
    ['codex', 'multi_agent_v1spawn_agent', 'spawn_agent'],
    ['copilot', 'task'],
    ['gemini', 'invoke_agent'],
    ['opencode', 'task'],
  ])
})
