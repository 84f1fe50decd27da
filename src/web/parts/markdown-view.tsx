import type { ComponentChildren, JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { type Block, parseMarkdown, type Span } from './markdown.ts'
import { shown } from './text.ts'

/** A longer text is cut until a person asks for all of it. */
const mostCharacters = 20_000

export const Markdown = ({ text }: { text: string }) => {
  const [isWhole, setWhole] = useState(false)
  const cut = isWhole ? text : text.slice(0, mostCharacters)
  const blocks = useMemo(() => parseMarkdown(shown(cut)), [cut])
  return (
    <div class="prose">
      {blocks.map(renderBlock)}
      {cut.length < text.length ? (
        <button type="button" class="button" onClick={() => setWhole(true)}>
          Show all {text.length.toLocaleString()} characters
        </button>
      ) : null}
    </div>
  )
}

const renderBlock = (block: Block, at: number): JSX.Element => {
  switch (block.kind) {
    case 'heading':
      // The page has its own headings: those of a text are below them.
      return block.level <= 2 ? <h3 key={at}>{spansOf(block.spans)}</h3> : <h4 key={at}>{spansOf(block.spans)}</h4>
    case 'code':
      return (
        <pre key={at} class="code" tabIndex={0}>
          <code>{block.text}</code>
        </pre>
      )
    case 'list': {
      const items = block.items.map((item, index) => <li key={index}>{renderItem(item)}</li>)
      return block.isOrdered ? (
        <ol key={at} start={block.start}>
          {items}
        </ol>
      ) : (
        <ul key={at}>{items}</ul>
      )
    }
    case 'quote':
      return <blockquote key={at}>{block.blocks.map(renderBlock)}</blockquote>
    case 'table':
      return (
        <div key={at} class="table" tabIndex={0}>
          <table>
            <thead>
              <tr>
                {block.head.map((cell, index) => (
                  <th key={index}>{spansOf(cell)}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row, index) => (
                <tr key={index}>
                  {row.map((cell, column) => (
                    <td key={column}>{spansOf(cell)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )
    case 'rule':
      return <hr key={at} />
    default:
      return <p key={at}>{spansOf(block.spans)}</p>
  }
}

/** An item of one paragraph is a line, not a paragraph. */
const renderItem = (blocks: readonly Block[]): ComponentChildren =>
  blocks.map((block, at) => (block.kind === 'paragraph' && at === 0 ? spansOf(block.spans) : renderBlock(block, at)))

const spansOf = (spans: readonly Span[]): ComponentChildren =>
  spans.map((span, at) => {
    switch (span.kind) {
      case 'text':
        return span.text
      case 'code':
        return <code key={at}>{span.text}</code>
      case 'strong':
        return <strong key={at}>{spansOf(span.spans)}</strong>
      case 'em':
        return <em key={at}>{spansOf(span.spans)}</em>
      default:
        return (
          <a key={at} href={span.href} title={span.href} target="_blank" rel="noopener noreferrer nofollow">
            {spansOf(span.spans)}
          </a>
        )
    }
  })
