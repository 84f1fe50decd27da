import * as api from '../contract/notes-api.ts'
import * as notes from './handlers/notes.ts'
import { body, type On, query } from './requests.ts'
import type { Services } from './services.ts'

/** What was learnt in a project and written down. */
export const notesRoutes = (services: Services, on: On): void => {
  on('notes', async (c, actor) => c.json(await notes.list(services, actor, query(c, api.NotesInput))))
  on('searchNotes', async (c, actor) => c.json(await notes.search(services, actor, query(c, api.SearchNotesInput))))
  on('showNote', async (c, actor) => c.json(await notes.show(services, actor, query(c, api.ShowNoteInput))))
  on('addNote', async (c, actor) => c.json(await notes.add(services, actor, await body(c, api.AddNoteInput))))
  on('proposedNotes', async (c) => c.json(await notes.proposed(services, query(c, api.ProposedNotesInput))))
  on('acceptNote', async (c) => c.json(await notes.accept(services, await body(c, api.AcceptNoteInput))))
  on('rejectNote', async (c) => c.json(await notes.reject(services, await body(c, api.RejectNoteInput))))
}
