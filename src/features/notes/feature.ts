import { join } from 'node:path'
import { byRein } from '../../contract/identity.ts'
import { newRecord } from '../../contract/record.ts'
import type { noteRoutes } from '../../contract/routes/notes.ts'
import { findDriver } from '../../drivers/registry.ts'
import { Hearing } from '../loops/hearing.ts'
import { Library } from './library.ts'
import { Quarantine } from './quarantine.ts'
import { type Failure, noteResponder } from './responder.ts'
import type { Feature } from '../feature.ts'
import { noteHandlers } from './handlers.ts'
import { noteTools } from './mcp-tools.ts'

/** How far back it is looked for what an agent was told. */
const newestRecords = 500
const points = { prompt: 'prompt', failure: 'batch' } as const

/** Files of projects come in, what fits is told to agents. */
export const notes: Feature<'notes', typeof noteRoutes, object, object> = {
  name: 'notes',
  create: (base, { supervisor, hooks, projects, finder }) => {
    const { log, append, now, newId, settings, paths } = base
    const library = new Library(now)
    const hearing = new Hearing({ driver: findDriver, catchUp: (id) => hooks.catchUp(id), now })
    const responder = noteResponder({
      library,
      cwd: (id) => supervisor.get(id)?.cwd ?? null,
      canHear: (id, moment) => hooks.takesAt(id, points[moment]),
      failures: async (call) => {
        const failures: Failure[] = []
        for (const tool of call.tools) {
          const end = await hearing.endOf({ id: call.agent ?? '' }, call, tool)
          const command = findDriver(call.driver).shell.call(tool.name, tool.input)?.command ?? ''
          if (end?.outcome === 'failed') failures.push({ command, output: end.output })
        }
        return failures
      },
      toldBefore: (id) =>
        log.readNewest('notes', id, newestRecords).flatMap(({ type, body }) => (type === 'note.told' ? [body] : [])),
      record: (id, told) => {
        const project = supervisor.get(id)?.project ?? null
        const context = { id: newId('rec'), at: now(), actor: byRein, agent: id, project }
        void append([newRecord('note.told', told, context)]).catch(base.troubleIn('notes'))
      },
    })
    const quarantine = new Quarantine(join(paths.state, 'notes'))
    const { propose, ...handlers } = noteHandlers({ library, quarantine, projects, finder, now })
    const isOn = settings['notes.enabled']
    return {
      handlers,
      watchers: isOn ? [{ onEntry: (agent, entry) => hearing.read(agent, entry) }] : [],
      responders: isOn ? [responder] : [],
      mcpTools: noteTools(propose),
      api: {},
    }
  },
}
