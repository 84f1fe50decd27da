import {
  CompactInput,
  ForkInput,
  RewindInput,
  SessionDiffInput,
  SessionInput,
  SessionSearchInput,
  SessionsInput,
  SessionTurnInput,
  UndoInput,
} from '../contract/routes/sessions.ts'
import * as moves from './handlers/session-moves.ts'
import * as sessions from './handlers/sessions.ts'
import { body, type Lines, type On, query } from './requests.ts'
import type { Services } from './services.ts'

/** What agents did, turn by turn, and going back to it. */
export const sessionRoutes = (services: Services, on: On, lines: Lines): void => {
  on('sessions', async (c) => c.json(await sessions.list(services, query(c, SessionsInput))))
  on('session', async (c) => c.json(await sessions.show(services, query(c, SessionInput))))
  on('sessionTurn', async (c) => c.json(await sessions.showTurn(services, query(c, SessionTurnInput))))
  on('sessionDiff', async (c) => c.json(await sessions.diff(services, query(c, SessionDiffInput))))
  on('searchSessions', async (c) => c.json(await sessions.search(services, query(c, SessionSearchInput))))
  on('rewind', async (c) => {
    const input = await body(c, RewindInput)
    return lines(c, (signal) => moves.rewind(services, input, signal))
  })
  on('undo', async (c) => {
    const input = await body(c, UndoInput)
    return lines(c, (signal) => moves.back(services, 'undo', input, signal))
  })
  on('redo', async (c) => {
    const input = await body(c, UndoInput)
    return lines(c, (signal) => moves.back(services, 'redo', input, signal))
  })
  on('fork', async (c) => {
    const input = await body(c, ForkInput)
    return lines(c, () => moves.fork(services, input))
  })
  on('compact', async (c) => {
    const input = await body(c, CompactInput)
    return lines(c, (signal) => moves.compact(services, input, signal))
  })
  on('collectSessions', (c) => lines(c, () => moves.collect(services)))
}
