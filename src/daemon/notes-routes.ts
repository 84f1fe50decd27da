import {
  AcceptNoteInput,
  AddNoteInput,
  NotesInput,
  ProposedNotesInput,
  RejectNoteInput,
  SearchNotesInput,
  ShowNoteInput,
} from '../contract/routes/notes.ts'
import * as notes from './handlers/notes.ts'
import { body, type On, query } from './requests.ts'
import type { Services } from './services.ts'

/** What was learnt in a project and written down. */
export const notesRoutes = (services: Services, on: On): void => {
  on('notes', async (c, actor) => c.json(await notes.list(services, actor, query(c, NotesInput))))
  on('searchNotes', async (c, actor) => c.json(await notes.search(services, actor, query(c, SearchNotesInput))))
  on('showNote', async (c, actor) => c.json(await notes.show(services, actor, query(c, ShowNoteInput))))
  on('addNote', async (c, actor) => c.json(await notes.add(services, actor, await body(c, AddNoteInput))))
  on('proposedNotes', async (c) => c.json(await notes.proposed(services, query(c, ProposedNotesInput))))
  on('acceptNote', async (c) => c.json(await notes.accept(services, await body(c, AcceptNoteInput))))
  on('rejectNote', async (c) => c.json(await notes.reject(services, await body(c, RejectNoteInput))))
}
