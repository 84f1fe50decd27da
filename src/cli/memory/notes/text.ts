import type { AddedNote, FoundNote, NotesView, ProposedNote, ShownNote } from '../../../contract/routes/notes.ts'
import { counted, formatAge, formatTable, joinLines } from '../../format.ts'
import type { Reader } from '../../output.ts'
import { block, oneLine, shownPath } from '../../safe-text.ts'

const titleLimit = 120
const excerptLimit = 200

export const addedText = ({ name, state, file, secrets }: AddedNote): string =>
  joinLines(
    state === 'written'
      ? `Written to ${shownPath(file ?? '')}.`
      : `${name} is proposed: a person accepts it, or not (rein memory note proposed).`,
    secrets > 0 && `${counted(secrets, 'secret')} taken out.`,
  )

export const notesTable = ({ notes, problems, proposed }: NotesView, columns?: number): string =>
  joinLines(
    notes.length === 0
      ? "No notes here. rein memory note add 'PROBLEM' --fix 'WHAT TO DO' writes the first one."
      : formatTable(
          ['NAME', 'TITLE'],
          notes.map(({ name, title }) => [shownPath(name), oneLine(title, titleLimit)]),
          { columns },
        ),
    ...problems.map((problem) => `Not read: ${oneLine(problem, titleLimit)}`),
    proposed > 0 && `${counted(proposed, 'proposed note')} for you to decide about: rein memory note proposed`,
  )

/** A star: an agent would be told of it. */
export const foundTable = (found: readonly FoundNote[], columns?: number): string =>
  found.length === 0
    ? 'No note has any of these words.'
    : formatTable(
        ['', 'SCORE', 'NAME', 'TITLE', 'WHAT HELPS'],
        found.map(({ name, title, score, fits, excerpt }) => [
          fits ? '*' : '',
          score.toFixed(2),
          shownPath(name),
          oneLine(title, titleLimit),
          oneLine(excerpt, excerptLimit),
        ]),
        { columns },
      )

export const shownNote = ({ file, text }: ShownNote, reader: Reader): string =>
  [shownPath(file), block(text.trimEnd(), reader)].join('\n')

export const proposedText = (open: readonly ProposedNote[], now: number, reader: Reader): string =>
  open.length === 0
    ? 'No notes are proposed here.'
    : [
        ...open.map(({ name, by, at, text }) =>
          [
            `${reader.style.bold(name)}  ${oneLine(by, titleLimit)}, ${formatAge(at, now)} ago`,
            block(text.trimEnd(), reader),
          ].join('\n'),
        ),
        `rein memory note accept ${open[0]?.name} writes it into the project; rein memory note reject ${open[0]?.name} discards it.`,
      ].join('\n\n')
