import { useMemo } from 'preact/hooks'
import type { Question } from '../../contract/agent.ts'
import type { DiffLine } from '../parts/diff.ts'
import { LineText } from '../parts/diff-view.tsx'
import { shown } from '../parts/text.ts'
import { askedParts } from '../store/asked-input.ts'

/** Everything that is asked about, never cut: hidden and steering characters are written out. */
export const AskedInput = ({ question, isStructured }: { question: Question; isStructured: boolean }) => {
  const parts = useMemo(() => askedParts(question, isStructured), [question, isStructured])
  return (
    <div class="asked">
      {parts.map((part, at) => (
        <figure key={at} class="asked-part">
          {part.name === '' ? null : <figcaption class="asked-name">{shown(part.name)}</figcaption>}
          {part.kind === 'text' ? (
            <pre class="asked-text">{shown(part.text)}</pre>
          ) : (
            <div class="asked-diff">
              {part.lines.map((line, row) => (
                <AskedLine key={row} line={line} />
              ))}
            </div>
          )}
        </figure>
      ))}
    </div>
  )
}

const signs = { same: ' ', add: '+', remove: '-' } as const

const AskedLine = ({ line }: { line: DiffLine }) => {
  if (line.kind === 'skip') return <div class="asked-line">{line.count} equal lines</div>
  if ('text' in line) return <div class="asked-line asked-hunk">{shown(line.text)}</div>
  const { kind } = line
  return (
    <div class={`asked-line asked-${kind}`}>
      <span class="asked-sign" aria-label={kind === 'same' ? undefined : kind}>
        {signs[kind]}
      </span>
      <span>
        <LineText line={line} />
      </span>
    </div>
  )
}
