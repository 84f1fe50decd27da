import {
  AnswerInput,
  AttachInput,
  ContextInput,
  DownInput,
  InterruptInput,
  LogsInput,
  PauseInput,
  PsInput,
  RestartInput,
  ResumeInput,
  UnpauseInput,
  UpInput,
  WatchInput,
} from '../contract/routes/agents.ts'
import { LoopsInput } from '../contract/routes/loops.ts'
import * as agents from './handlers/agents.ts'
import { context } from './handlers/context.ts'
import * as deployment from './handlers/deployment.ts'
import { loops } from './handlers/loops.ts'
import { attach } from './handlers/task-layout.ts'
import { watch } from './handlers/watch.ts'
import { body, type Lines, type On, query } from './requests.ts'
import type { Services } from './services.ts'

/** Starting agents, looking at them, answering and ending them. */
export const agentRoutes = (services: Services, on: On, lines: Lines): void => {
  on('ps', (c) => c.json(agents.ps(services, query(c, PsInput))))
  on('watch', (c) => lines(c, (signal) => watch(services, query(c, WatchInput), signal)))
  on('up', async (c) => {
    void deployment.refresh(services)
    return c.json(await agents.up(services, await body(c, UpInput)))
  })
  on('down', async (c) => c.json(await agents.down(services, await body(c, DownInput))))
  on('answer', async (c) => c.json(await agents.answer(services, await body(c, AnswerInput))))
  on('restart', async (c) => c.json(await agents.restart(services, await body(c, RestartInput))))
  on('resume', async (c) => c.json(await agents.resume(services, await body(c, ResumeInput))))
  on('pause', async (c) => c.json(await agents.pause(services, await body(c, PauseInput))))
  on('unpause', async (c) => c.json(await agents.unpause(services, await body(c, UnpauseInput))))
  on('interrupt', async (c) => c.json(await agents.interrupt(services, await body(c, InterruptInput))))
  on('attach', async (c) => c.json(await attach(services, query(c, AttachInput))))
  on('logs', (c, actor) => lines(c, (signal) => agents.logs(services, actor, query(c, LogsInput), signal)))
  on('context', async (c, actor) => c.json(await context(services, actor, query(c, ContextInput))))
  on('loops', async (c) => c.json(await loops(services, query(c, LoopsInput))))
}
