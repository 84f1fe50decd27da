import type {
  AcceptedNote,
  AddedNote,
  AddNoteRequest,
  FoundNote,
  NoteRequest,
  NotesRequest,
  NotesView,
  ProposedNote,
  RejectedNote,
  SearchNotesRequest,
  ShownNote,
} from '../contract/routes/notes.ts'
import type { RouteName } from '../contract/routes.ts'

/** What was learnt in a project and written down. */
export interface NotesClient {
  notes(input: NotesRequest): Promise<NotesView>
  /** Best first. */
  searchNotes(input: SearchNotesRequest): Promise<FoundNote[]>
  showNote(input: NoteRequest): Promise<ShownNote>
  /** Of an agent it is a proposal. */
  addNote(input: AddNoteRequest): Promise<AddedNote>
  proposedNotes(input: NotesRequest): Promise<ProposedNote[]>
  acceptNote(input: NoteRequest): Promise<AcceptedNote>
  rejectNote(input: NoteRequest): Promise<RejectedNote>
}

type Ask = <T>(route: RouteName, call: { input: object }) => Promise<T>

export const createNotesClient = (ask: Ask): NotesClient => ({
  notes: (input) => ask('notes', { input }),
  searchNotes: (input) => ask('searchNotes', { input }),
  showNote: (input) => ask('showNote', { input }),
  addNote: (input) => ask('addNote', { input }),
  proposedNotes: (input) => ask('proposedNotes', { input }),
  acceptNote: (input) => ask('acceptNote', { input }),
  rejectNote: (input) => ask('rejectNote', { input }),
})
