/** The MCP tools of all features: none hides another, and `docs/mcp.md` and the drivers know each of them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freeTools } from '../src/drivers/free-tools.ts'
import { joinTools, type Tools } from '../src/mcp/tool.ts'

const root = join(import.meta.dirname, '..')

/** Every exported `…Tools` of every `mcp-tools.ts`; what the tools do when they run plays no part here. */
const readGroups = async (): Promise<Tools[]> => {
  const files = readdirSync(join(root, 'src/features'), { recursive: true, encoding: 'utf8' })
  const modules = await Promise.all(
    files
      .filter((file) => file.endsWith('mcp-tools.ts'))
      .toSorted()
      .map(async (file) => (await import(join(root, 'src/features', file))) as Record<string, unknown>),
  )
  return modules
    .flatMap((module) => Object.entries(module))
    .filter(([name]) => name.endsWith('Tools'))
    .map(([, create]) => (create as (...parts: object[]) => Tools)({}, {}))
}

const tools = joinTools(await readGroups())

test('docs/mcp.md has a row for each tool, and for no other', () => {
  const page = readFileSync(join(root, 'docs/mcp.md'), 'utf8')
  const documented = Array.from(page.matchAll(/^\| `([a-z_]+)` \|/gm), ([, name]) => name)
  expect(new Set(Object.keys(tools))).toEqual(new Set(documented))
})

test('the drivers allow the free ones, and no others', () => {
  const free = Object.entries(tools).filter(([, { isFree }]) => isFree)
  expect(new Set(free.map(([name]) => name))).toEqual(new Set(freeTools))
})

test('two tools of one name are an error', () => {
  const { ack_directive } = tools
  if (ack_directive === undefined) throw new Error('The tools were not read.')
  expect(() => joinTools([{ ack_directive }, undefined, { other: ack_directive }, { ack_directive }])).toThrow(
    'Two features have an MCP tool ack_directive.',
  )
})
