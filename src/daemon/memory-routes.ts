import {
  AdviceLogInput,
  DiagnoseInput,
  ForgetInput,
  HistoryInput,
  IngestInput,
  ProjectInput,
  ShellSessionInput,
  StatsInput,
  SuggestInput,
} from '../contract/routes/memory.ts'
import * as memory from './handlers/memory.ts'
import { body, type On, query } from './requests.ts'
import type { Services } from './services.ts'

/** What was run, what comes next, what a failure means. */
export const memoryRoutes = (services: Services, on: On): void => {
  on('ingest', async (c, actor) => c.json(await memory.ingest(services, actor, await body(c, IngestInput))))
  on('shellSession', async (c, actor) =>
    c.json(await memory.shellSession(services, actor, await body(c, ShellSessionInput))),
  )
  on('suggest', async (c, actor) => {
    const input = memory.asAgent(services, actor, query(c, SuggestInput))
    const suggest = actor.kind === 'agent' ? memory.suggestToAgent : memory.suggest
    return c.json(await suggest(services, input))
  })
  on('history', async (c, actor) =>
    c.json(await memory.history(services, memory.asAgent(services, actor, query(c, HistoryInput)))),
  )
  on('diagnose', async (c, actor) => {
    const input = memory.asAgent(services, actor, await body(c, DiagnoseInput))
    const diagnose = actor.kind === 'agent' ? memory.diagnoseToAgent : memory.diagnose
    return c.json(await diagnose(services, input))
  })
  on('projectCommands', async (c, actor) =>
    c.json(await memory.projectCommands(services, memory.asAgent(services, actor, query(c, ProjectInput)))),
  )
  on('forget', async (c) => c.json(await memory.forget(services, await body(c, ForgetInput))))
  on('memoryStats', async (c) => c.json(await memory.stats(services, query(c, StatsInput))))
  on('adviceLog', async (c) => c.json(await memory.adviceLog(services, query(c, AdviceLogInput))))
}
