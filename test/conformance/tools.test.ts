/** The driver of a real CLI knows what each tool does that the CLI offers to its model. */
import { describe, test } from 'vitest'
import type { ToolTable } from '../../src/drivers/tool-kinds.ts'
import type { Tool } from '../../src/sim/received.ts'
import type { SimRequest } from '../../src/sim/recorder.ts'
import { driverOf } from '../support/clis.ts'
import { hosts } from './agent.ts'
import { chosen, subjectOf } from './chosen.ts'
import { startProbe } from './probe.ts'
import { yes } from './yes.ts'

/** Claude Code only names some tools, and shows them when the model searches for them. */
const deferredIn = ({ text, systemText, tools }: SimRequest): string[] => {
  const [, list = ''] = /deferred tools [^\n]*:\n((?:\w+\n)+)/.exec(`${systemText}\n${text}`) ?? []
  const names = list.split('\n').filter((name) => name !== '')
  if (names.length === 0 && tools.some(({ name }) => name === 'ToolSearch')) throw new Error('No tool is deferred.')
  return names
}

const isOfServer = ({ mcp }: ToolTable, { name, namespace = name }: Tool): boolean =>
  mcp !== null && mcp.prefix !== '' && namespace.startsWith(mcp.prefix)

/** A tool of a group has its plain name in the transcript, and both names as one in Codex's hooks. */
const namesOf = ({ name, namespace = '' }: Tool): string[] => [name, `${namespace}${name}`]

describe.each(chosen)('$name', (cli) => {
  test.concurrent.for(hosts)('each of its own tools has a kind (%s)', async (host, { expect, onTestFinished }) => {
    const table = driverOf(cli).tools
    const person = yes()
    // The probe's server ends at once: all that is offered is the CLI's own.
    const probe = await startProbe(await subjectOf(cli), host, 'RUN:true ;; SAY:done', () => ({}), {
      heard: person.heard,
    })
    onTestFinished(probe.close)
    person.meet(probe)
    await probe.sim.next((request) => request.reply.includes('SAY:done'))
    const requests = probe.sim.requests.filter(({ isMain }) => isMain)
    const offered = requests.flatMap(({ tools }) => tools).filter((tool) => !isOfServer(table, tool))
    const names = new Set([...offered.flatMap(namesOf), ...requests.flatMap(deferredIn)])
    expect(names.size).toBeGreaterThan(5)
    expect([...names].filter((name) => !Object.hasOwn({ ...table.told, ...table.own }, name))).toEqual([])
  })
})
