import { join } from 'node:path'
import type { z } from 'zod'
import { ReinError } from '../../contract/errors.ts'
import type { Actor } from '../../contract/identity.ts'
import type {
  AcceptedNote,
  AcceptNoteInput,
  AddedNote,
  AddNoteInput,
  FoundNote,
  NotesInput,
  NotesView,
  NoteView,
  ProposedNote,
  ProposedNotesInput,
  RejectedNote,
  RejectNoteInput,
  SearchNotesInput,
  ShownNote,
  ShowNoteInput,
} from '../../contract/routes/notes.ts'
import { excerptOf } from '../../features/notes/excerpt.ts'
import { folderOf, longestNote, writeNote } from '../../features/notes/folder.ts'
import type { Shelf } from '../../features/notes/library.ts'
import { longestTitle, type Note, noteText, slugOf } from '../../features/notes/note.ts'
import { longestProposal } from '../../features/notes/quarantine.ts'
import { mostTold } from '../../features/notes/responder.ts'
import { tokensOf } from '../../features/notes/tokens.ts'
import { redact } from '../../base/redact/redact.ts'
import { nearest } from '../../base/util/nearest.ts'
import type { Services } from '../services.ts'
import { asAgent } from './memory.ts'

type Given<T extends z.ZodType> = z.infer<T>

/** An agent asks about the project that it works in. */
const shelfFor = (services: Services, actor: Actor, cwd: string): Promise<Shelf> =>
  services.library.at(asAgent(services, actor, { cwd }).cwd)

const viewOf = ({ root }: Shelf, { name, title }: Note): NoteView => ({
  name,
  title,
  file: join(folderOf(root), `${name}.md`),
})

export const list = async (services: Services, actor: Actor, { cwd }: Given<typeof NotesInput>): Promise<NotesView> => {
  const shelf = await shelfFor(services, actor, cwd)
  const open = actor.kind === 'agent' ? [] : await proposed(services, { cwd })
  return {
    notes: shelf.notes.map((note) => viewOf(shelf, note)),
    problems: [...shelf.problems],
    proposed: open.length,
  }
}

export const search = async (
  services: Services,
  actor: Actor,
  { cwd, text, limit }: Given<typeof SearchNotesInput>,
): Promise<FoundNote[]> => {
  const shelf = await shelfFor(services, actor, cwd)
  const words = tokensOf(text)
  const fitting = new Set(shelf.ranking.fitting(words, mostTold).map(({ note }) => note))
  return shelf.ranking
    .search(words)
    .slice(0, limit)
    .map(({ note, score }) => ({
      ...viewOf(shelf, note),
      score: Math.round(score * 100) / 100,
      fits: fitting.has(note),
      excerpt: excerptOf(note),
    }))
}

export const show = async (
  services: Services,
  actor: Actor,
  { cwd, name }: Given<typeof ShowNoteInput>,
): Promise<ShownNote> => {
  const shelf = await shelfFor(services, actor, cwd)
  const wanted = name.replace(/\.md$/, '')
  const note = shelf.notes.find((each) => each.name === wanted)
  if (note !== undefined) return { ...viewOf(shelf, note), text: note.text }
  const close = nearest(
    wanted,
    shelf.notes.map((each) => each.name),
  )
  throw new ReinError(
    'not_found',
    `There is no note ${wanted} here.`,
    close === undefined ? 'rein note list shows those there are.' : `Did you mean ${close}?`,
  )
}

/** What an agent writes waits for a person. */
export const add = async (services: Services, actor: Actor, input: Given<typeof AddNoteInput>): Promise<AddedNote> => {
  if (actor.kind === 'agent') return propose(services, actor, input)
  const { title, text, secrets } = checked(input, longestNote)
  const { root } = await services.library.at(input.cwd)
  const name = slugOf(title)
  const file = await writeNote(root, name, text)
  services.library.changed(root)
  return { name, state: 'written', file, secrets }
}

export const propose = async (
  services: Services,
  actor: Actor,
  input: Given<typeof AddNoteInput>,
): Promise<AddedNote> => {
  const { title, text, secrets } = checked(input, longestProposal)
  const { cwd } = asAgent(services, actor, { cwd: input.cwd })
  const { notes } = await services.library.at(cwd)
  const proposal = { name: slugOf(title), title, text, by: authorOf(actor), at: services.now() }
  const project = await services.projects.of(cwd)
  const kept = await services.quarantine.add(
    project,
    proposal,
    notes.map(({ name }) => name),
  )
  return { name: kept.name, state: 'proposed', file: null, secrets }
}

/** A model that is nobody's agent is no person, either. */
const authorOf = (actor: Actor): string => (actor.kind === 'agent' ? `agent ${actor.handle}` : 'an MCP client')

const checked = (
  { title: given, ...parts }: Given<typeof AddNoteInput>,
  longest: number,
): { title: string; text: string; secrets: number } => {
  const title = redact(given.replaceAll(/\s+/g, ' ').trim())
  if (title.text === '') throw new ReinError('empty_text', 'A note needs a title.')
  if (title.text.length > longestTitle)
    throw new ReinError('text_too_large', `A title has ${longestTitle} characters at most.`)
  if (isBlank(parts.fix) && isBlank(parts.text))
    throw new ReinError('empty_text', 'A note needs a fix, or free text.', 'Give --fix TEXT, or - to read it all.')
  const { text, count } = redact(noteText({ title: title.text, ...parts }))
  if (Buffer.byteLength(text) > longest)
    throw new ReinError('text_too_large', `This note has over ${longest / 1024} KiB.`, 'Say what helps, in short.')
  return { title: title.text, text, secrets: title.count + count }
}

const isBlank = (text: string | undefined): boolean => text === undefined || text.trim() === ''

export const proposed = async (
  { quarantine, projects }: Services,
  { cwd }: Given<typeof ProposedNotesInput>,
): Promise<ProposedNote[]> => quarantine.list(await projects.of(cwd))

/** From here on agents may be told of it. */
export const accept = async (
  { quarantine, library, projects }: Services,
  { cwd, name }: Given<typeof AcceptNoteInput>,
): Promise<AcceptedNote> => {
  const { root } = await library.at(cwd)
  const project = await projects.of(cwd)
  const file = await quarantine.take(project, name, (proposal) => writeNote(root, proposal.name, proposal.text))
  library.changed(root)
  return { name, file }
}

export const reject = async (
  { quarantine, projects }: Services,
  { cwd, name }: Given<typeof RejectNoteInput>,
): Promise<RejectedNote> => {
  const project = await projects.of(cwd)
  return quarantine.take(project, name, async (proposal) => ({ name: proposal.name }))
}
