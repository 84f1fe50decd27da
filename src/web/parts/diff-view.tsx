import { useState } from 'preact/hooks'
import type { DiffLine } from './diff.ts'
import { shown } from './text.ts'

const mostLines = 400
const marks = { same: ' ', add: '+', remove: '-' } as const
const labels = { same: undefined, add: 'added', remove: 'removed' } as const

/** A change as one column, with marks and colours; long ones are cut until a person asks for all. */
export const Diff = ({ lines, label }: { lines: readonly DiffLine[]; label: string }) => {
  const [isWhole, setWhole] = useState(false)
  const cut = isWhole ? lines : lines.slice(0, mostLines)
  return (
    <div class="diff" role="group" aria-label={label} tabIndex={0}>
      <div class="diff-lines">
        {cut.map((line, at) => (
          <Line key={at} line={line} />
        ))}
      </div>
      {cut.length < lines.length ? (
        <button type="button" class="button" onClick={() => setWhole(true)}>
          Show all {lines.length.toLocaleString()} lines
        </button>
      ) : null}
    </div>
  )
}

const Line = ({ line }: { line: DiffLine }) => {
  if (line.kind === 'skip') return <div class="diff-skip">{line.count} unchanged lines</div>
  if ('text' in line) return <div class={`diff-${line.kind}`}>{shown(line.text)}</div>
  return (
    <div class={`diff-line diff-${line.kind}`}>
      <span class="diff-mark" aria-label={labels[line.kind]}>
        {marks[line.kind]}
      </span>
      <span class="diff-text">
        <LineText line={line} />
      </span>
    </div>
  )
}

/** The text of a line, with what was changed in it marked. */
export const LineText = ({ line: { parts } }: { line: Extract<DiffLine, { parts: unknown }> }) => (
  <>{parts.map(({ text, isChanged }, at) => (isChanged ? <mark key={at}>{shown(text)}</mark> : shown(text)))}</>
)
