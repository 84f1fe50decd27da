import type { z } from 'zod'
import type * as api from './notes-api.ts'

/** The shapes of notes-api.ts for callers that must not load the schemas. */
export type NotesRequest = z.input<typeof api.NotesInput>
export type NoteView = z.infer<typeof api.NoteView>
export type NotesView = z.infer<typeof api.NotesOutput>
export type SearchNotesRequest = z.input<typeof api.SearchNotesInput>
export type FoundNote = z.infer<typeof api.FoundNote>
export type NoteRequest = z.input<typeof api.ShowNoteInput>
export type ShownNote = z.infer<typeof api.ShownNote>
export type AddNoteRequest = z.input<typeof api.AddNoteInput>
export type AddedNote = z.infer<typeof api.AddedNote>
export type ProposedNote = z.infer<typeof api.ProposedNote>
export type AcceptedNote = z.infer<typeof api.AcceptedNote>
export type RejectedNote = z.infer<typeof api.RejectedNote>
