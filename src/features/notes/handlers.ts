import { join } from 'node:path'
import type { z } from 'zod'
import { ReinError } from '../../contract/errors.ts'
import type { Actor } from '../../contract/identity.ts'
import { isThroughDevice, wayOf } from '../../contract/person.ts'
import type { Here } from '../../contract/routes/fields.ts'
import type {
  AddNoteInput,
  AddedNote,
  noteRoutes,
  NoteView,
  ProposedNote,
  ShownNote,
} from '../../contract/routes/notes.ts'
import type { Handlers } from '../../contract/routes/route.ts'
import { excerptOf } from './excerpt.ts'
import { folderOf, longestNote, writeNote } from './folder.ts'
import type { Shelf, Library } from './library.ts'
import { longestTitle, type Note, noteText, slugOf } from './note.ts'
import { longestProposal, type Quarantine } from './quarantine.ts'
import { mostTold } from './responder.ts'
import { tokensOf } from './tokens.ts'
import { redact } from '../../base/redact/redact.ts'
import { hintNearest } from '../../base/util/nearest.ts'
import type { AgentFinder } from '../../agents/identity/finder.ts'
import type { Projects } from '../../agents/projects/projects.ts'

interface Parts {
  library: Library
  quarantine: Quarantine
  projects: Projects
  finder: AgentFinder
  now: () => number
}

type NewNote = z.infer<typeof AddNoteInput>

export interface NoteHandlers extends Handlers<typeof noteRoutes> {
  /** Notes of agents, models and devices wait for a person on the machine. */
  propose: (actor: Actor, input: NewNote) => Promise<AddedNote>
}

export const noteHandlers = ({ library, quarantine, projects, finder, now }: Parts): NoteHandlers => {
  /** Of the project that an agent works in; of any other caller, the one that they name. */
  const shelfFor = async (actor: Actor, here: Here): Promise<Shelf> =>
    library.at((await finder.pinned(actor, here)).cwd)
  const proposed = async (here: Here): Promise<ProposedNote[]> => quarantine.list(await finder.projectAt(here))
  const propose: NoteHandlers['propose'] = async (actor, input) => {
    const { title, text, secrets } = checkNote(input, longestProposal)
    const { cwd } = await finder.pinned(actor, input)
    const taken = (await library.at(cwd)).notes.map(({ name }) => name)
    // A model that is not a known agent is not a person either.
    const by = actor.kind === 'agent' ? `agent ${actor.handle}` : wayOf(actor, 'an MCP client')
    const proposal = { name: slugOf(title), title, text, by, at: now() }
    const kept = await quarantine.add(await projects.of(cwd), proposal, taken)
    return { name: kept.name, state: 'proposed', file: null, secrets }
  }
  return {
    propose,
    notes: async ({ actor, input }) => {
      const shelf = await shelfFor(actor, input)
      const open = actor.kind === 'agent' ? [] : await proposed(input)
      return {
        notes: shelf.notes.map((note) => viewNote(shelf, note)),
        problems: [...shelf.problems],
        proposed: open.length,
      }
    },
    searchNotes: async ({ actor, input: { text, limit, ...here } }) => {
      const shelf = await shelfFor(actor, here)
      const words = tokensOf(text)
      const fitting = new Set(shelf.ranking.fitting(words, mostTold).map(({ note }) => note))
      const found = shelf.ranking.search(words).slice(0, limit)
      return found.map(({ note, score }) => ({
        ...viewNote(shelf, note),
        score: Math.round(score * 100) / 100,
        fits: fitting.has(note),
        excerpt: excerptOf(note),
      }))
    },
    showNote: async ({ actor, input: { name, ...here } }) => showNote(await shelfFor(actor, here), name),
    addNote: async ({ actor, input }) => {
      // A note goes to every agent to come: it would outlast the revocation of a device.
      if (actor.kind === 'agent' || isThroughDevice(actor)) return propose(actor, input)
      const { title, text, secrets } = checkNote(input, longestNote)
      const { root } = await library.at((await finder.placed(input)).cwd)
      const name = slugOf(title)
      const file = await writeNote(root, name, text)
      library.changed(root)
      return { name, state: 'written', file, secrets }
    },
    proposedNotes: ({ input }) => proposed(input),
    /** From here on agents may be told of it. */
    acceptNote: async ({ input }) => {
      const { cwd, name } = await finder.placed(input)
      const { root } = await library.at(cwd)
      const project = await projects.of(cwd)
      const file = await quarantine.take(project, name, (proposal) => writeNote(root, proposal.name, proposal.text))
      library.changed(root)
      return { name, file }
    },
    rejectNote: async ({ input: { name, ...here } }) =>
      quarantine.take(await finder.projectAt(here), name, async (proposal) => ({ name: proposal.name })),
  }
}

const viewNote = ({ root }: Shelf, { name, title }: Note): NoteView => ({
  name,
  title,
  file: join(folderOf(root), `${name}.md`),
})

const showNote = (shelf: Shelf, given: string): ShownNote => {
  const wanted = given.replace(/\.md$/, '')
  const note = shelf.notes.find((each) => each.name === wanted)
  if (note !== undefined) return { ...viewNote(shelf, note), text: note.text }
  const names = shelf.notes.map((each) => each.name)
  const hint = hintNearest(wanted, names, 'List them: rein memory note list')
  throw new ReinError('not_found', `There is no note ${wanted} here.`, hint)
}

const checkNote = (
  { title: given, ...parts }: NewNote,
  longest: number,
): { title: string; text: string; secrets: number } => {
  const title = redact(given.replaceAll(/\s+/g, ' ').trim())
  if (title.text === '') throw new ReinError('empty_text', 'A note needs a title.')
  if (title.text.length > longestTitle)
    throw new ReinError('text_too_large', `A title has ${longestTitle} characters at most.`)
  if (isBlank(parts.fix) && isBlank(parts.text))
    throw new ReinError(
      'empty_text',
      'A note needs a fix, or free text.',
      'Say what helped, as in: --fix "Run npm ci first". Or give - to read it all.',
    )
  const { text, count } = redact(noteText({ title: title.text, ...parts }))
  if (Buffer.byteLength(text) > longest)
    throw new ReinError('text_too_large', `This note has over ${longest / 1024} KiB.`, 'Say what helps, in short.')
  return { title: title.text, text, secrets: title.count + count }
}

const isBlank = (text: string | undefined): boolean => text === undefined || text.trim() === ''
