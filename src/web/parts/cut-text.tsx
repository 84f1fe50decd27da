import { useState } from 'preact/hooks'
import { shown } from './text.ts'

const mostCharacters = 4_000

/** A text as it is, every character visible; a long one is cut until a person asks for all of it. */
export const CutText = ({ text, isCode = false }: { text: string; isCode?: boolean }) => {
  const [isWhole, setWhole] = useState(false)
  const cut = isWhole ? text : text.slice(0, mostCharacters)
  return (
    <>
      {isCode ? (
        <pre class="code" tabIndex={0}>
          {shown(cut)}
        </pre>
      ) : (
        <div class="plain">{shown(cut)}</div>
      )}
      {cut.length < text.length ? (
        <button type="button" class="button" onClick={() => setWhole(true)}>
          Show all {text.length.toLocaleString()} characters
        </button>
      ) : null}
    </>
  )
}
