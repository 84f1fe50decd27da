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
  expect(Object.keys(tools).toSorted()).toEqual([...new Set(documented)].toSorted())
})

test('the drivers allow the free ones, and no others', () => {
  const free = Object.entries(tools).filter(([, { isFree }]) => isFree)
  expect(free.map(([name]) => name).toSorted()).toEqual(freeTools.toSorted())
})

test('two tools of one name are an error', () => {
  const [[name = '', one] = []] = Object.entries(tools)
  if (one === undefined) throw new Error('No tool was read.')
  expect(() => joinTools([{ [name]: one }, undefined, { other: one }, { [name]: one }])).toThrow(
    `Two features have an MCP tool ${name}.`,
  )
})
