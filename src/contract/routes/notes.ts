import { z } from 'zod'
import { type ClientInput, HereInput } from './fields.ts'
import { route, type Routes } from './route.ts'

const one = HereInput.extend({ name: z.string().min(1) })

/** In the project's folder of notes. */
const file = z.string().describe('its file')

export const NotesInput = HereInput
export const NoteView = z.object({
  name: z.string().describe('its file without `.md`'),
  title: z.string(),
  file,
})
export const NotesOutput = z.object({
  notes: z.array(NoteView).describe('by name'),
  problems: z.array(z.string()).describe('files that are not notes, with the reason'),
  proposed: z.number().describe('how many of agents wait for a person; 0 for an agent that asks'),
})

export const SearchNotesInput = HereInput.extend({
  text: z.string().min(1),
  limit: z.coerce.number<number>().int().min(1).max(100).default(10),
})
export const FoundNote = NoteView.extend({
  score: z.number().describe('BM25'),
  fits: z.boolean().describe('whether an agent that asks this, or whose command fails like this, would be told'),
  excerpt: z.string(),
})
export const SearchNotesOutput = z.array(FoundNote).describe('best first')

export const ShowNoteInput = one
export const ShownNote = NoteView.extend({ text: z.string().describe('all of it, markdown') })

/** `text` is free; else there is a fix. */
export const AddNoteInput = HereInput.extend({
  title: z.string(),
  problem: z.string().optional(),
  fix: z.string().optional(),
  verification: z.string().optional(),
  text: z.string().optional(),
})
export const AddedNote = z.object({
  name: z.string(),
  state: z
    .enum(['written', 'proposed'])
    .describe('`proposed`: an agent or a device wrote it, and it waits for a person'),
  file: z.string().nullable().describe('its file; null for one that is proposed'),
  secrets: z.number().describe('how many secrets were taken out'),
})

export const ProposedNotesInput = HereInput
export const ProposedNote = z.object({
  name: z.string(),
  title: z.string(),
  by: z.string().describe('the agent or the device that proposes it'),
  at: z.number().describe('when, milliseconds since 1970'),
  text: z.string().describe('all of it, markdown'),
})
export const ProposedNotesOutput = z.array(ProposedNote).describe('oldest first')

export const AcceptNoteInput = one
export const AcceptedNote = z.object({ name: z.string(), file })

export const RejectNoteInput = one
export const RejectedNote = z.object({ name: z.string() })

export type NoteView = z.infer<typeof NoteView>
export type NotesView = z.infer<typeof NotesOutput>
export type FoundNote = z.infer<typeof FoundNote>
export type ShownNote = z.infer<typeof ShownNote>
export type AddNoteRequest = ClientInput<typeof AddNoteInput>
export type AddedNote = z.infer<typeof AddedNote>
export type ProposedNote = z.infer<typeof ProposedNote>
export type AcceptedNote = z.infer<typeof AcceptedNote>
export type RejectedNote = z.infer<typeof RejectedNote>

/** The notes of a project. */
export const noteRoutes = {
  notes: route({
    method: 'GET',
    path: '/v1/notes',
    input: NotesInput,
    output: NotesOutput,
    scope: 'read',
    agentMay: true,
    commands: ['rein memory note list'],
    help: 'Lists the notes of a project.',
  }),
  searchNotes: route({
    method: 'GET',
    path: '/v1/notes/search',
    input: SearchNotesInput,
    output: SearchNotesOutput,
    scope: 'read',
    agentMay: true,
    commands: ['rein memory note search'],
    help: 'Finds notes, best first.',
  }),
  showNote: route({
    method: 'GET',
    path: '/v1/notes/one',
    input: ShowNoteInput,
    output: ShownNote,
    scope: 'read',
    agentMay: true,
    commands: ['rein memory note show'],
    help: 'Shows a note.',
  }),
  addNote: route({
    method: 'POST',
    path: '/v1/notes',
    input: AddNoteInput,
    output: AddedNote,
    scope: 'tell',
    agentMay: true,
    commands: ['rein memory note add'],
    help: 'Writes a note; that of an agent or a device is a proposal.',
  }),
  proposedNotes: route({
    method: 'GET',
    path: '/v1/notes/proposed',
    input: ProposedNotesInput,
    output: ProposedNotesOutput,
    scope: 'read',
    commands: ['rein memory note proposed'],
    help: 'Lists notes that agents and devices propose.',
  }),
  acceptNote: route({
    method: 'POST',
    path: '/v1/notes/accept',
    input: AcceptNoteInput,
    output: AcceptedNote,
    scope: 'admin',
    commands: ['rein memory note accept'],
    help: 'Makes a proposal a note.',
  }),
  rejectNote: route({
    method: 'POST',
    path: '/v1/notes/reject',
    input: RejectNoteInput,
    output: RejectedNote,
    scope: 'admin',
    commands: ['rein memory note reject'],
    help: 'Throws a proposal away.',
  }),
} satisfies Routes
