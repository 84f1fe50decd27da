import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef } from 'preact/hooks'
import { RowLayout } from './row-layout.ts'

interface VirtualListProps<T> {
  items: readonly T[]
  keyOf: (item: T) => string
  render: (item: T) => ComponentChildren
  /** What the list is, for screen readers. */
  label: string
  /** Height of a row that was never shown. */
  estimate?: number
  /** Stays at the end while rows are added, until the reader scrolls up. */
  isSticky?: boolean
  /** The reader is near the first row: older ones may be fetched. */
  onNearStart?: () => void
}

const overscan = 800
const nearPx = 1_500
const endSlackPx = 24

/** Rows near the window are in the document, all others are space. What the reader looks at stays where it is. */
export const VirtualList = <T,>(props: VirtualListProps<T>) => {
  const { items, keyOf, render, label, estimate = 80 } = props
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const scroller = useRef<HTMLDivElement>(null)
  const layout = useMemo(() => new RowLayout(estimate), [])
  const keys = useMemo(() => items.map(keyOf), [items])
  layout.setKeys(keys)
  const rows = useRowHeights((key, height) => layout.setHeight(key, height), redraw)
  const { view, readScroll } = useAnchor({ ...props, scroller, layout, keys, redraw })
  const first = layout.indexAt(view.top - overscan)
  const last = layout.indexAt(view.top + view.height + overscan)
  return (
    <div class="list" ref={scroller} onScroll={readScroll} role="feed" aria-label={label} tabIndex={0}>
      <div class="list-space" style={{ height: `${layout.height}px` }}>
        <div class="list-rows" style={{ transform: `translateY(${layout.topOf(first)}px)` }}>
          {items.slice(first, last + 1).map((item, at) => {
            const key = keys[first + at] ?? ''
            return (
              <div
                key={key}
                class="list-row"
                data-key={key}
                ref={rows}
                role="article"
                aria-posinset={first + at + 1}
                aria-setsize={items.length}
              >
                {render(item)}
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}

interface AnchorParts extends Pick<VirtualListProps<unknown>, 'isSticky' | 'onNearStart'> {
  scroller: RefObject<HTMLDivElement | null>
  layout: RowLayout
  keys: readonly string[]
  redraw: (action: number) => void
}

/** Where the window is, and what keeps it there when rows come, go or change their height. */
const useAnchor = ({ scroller, layout, keys, redraw, isSticky = false, onNearStart }: AnchorParts) => {
  /** The row at the top edge and how far it is scrolled out; null: at the end. */
  const anchor = useRef<{ key: string; offset: number } | null>(isSticky ? null : { key: keys[0] ?? '', offset: 0 })
  const view = useRef({ top: 0, height: 0 })
  const wantedTop = (current: number): number => {
    if (anchor.current === null) return layout.height
    const index = layout.indexOf(anchor.current.key)
    return index === undefined ? current : layout.topOf(index) + anchor.current.offset
  }
  const readScroll = (): void => {
    const element = scroller.current
    if (element === null) return
    const { scrollTop: top, clientHeight: height, scrollHeight } = element
    view.current = { top, height }
    const index = layout.indexAt(top)
    const key = keys[index]
    const isAtEnd = isSticky && top + height >= scrollHeight - endSlackPx
    anchor.current = isAtEnd || key === undefined ? null : { key, offset: top - layout.topOf(index) }
    if (top < nearPx) onNearStart?.()
    redraw(0)
  }
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    const top = wantedTop(element.scrollTop)
    if (Math.abs(element.scrollTop - top) > 0.5) element.scrollTop = top
    const isNews = element.scrollTop !== view.current.top || element.clientHeight !== view.current.height
    view.current = { top: element.scrollTop, height: element.clientHeight }
    if (isNews) redraw(0)
  })
  useEffect(() => {
    const element = scroller.current
    if (element === null) return undefined
    const observer = new ResizeObserver(() => redraw(0))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    // Nobody can scroll in less than a screenful.
    const heightPx = scroller.current?.clientHeight ?? 0
    if (keys.length > 0 && layout.height < heightPx + nearPx) onNearStart?.()
  }, [keys])
  return { view: view.current, readScroll }
}

/** A ref for rows: tells the height of each as it is drawn, and whenever it changes. */
const useRowHeights = (onHeight: (key: string, height: number) => boolean, redraw: (action: number) => void) => {
  const observer = useMemo(
    () =>
      new ResizeObserver((entries) => {
        const news = entries.filter(
          ({ target, borderBoxSize }) =>
            target.isConnected &&
            target instanceof HTMLElement &&
            onHeight(target.dataset['key'] ?? '', borderBoxSize[0]?.blockSize ?? target.offsetHeight),
        )
        if (news.length > 0) redraw(0)
      }),
    [],
  )
  useEffect(() => () => observer.disconnect(), [])
  return useMemo(
    () => (element: HTMLElement | null) => {
      if (element === null) return
      onHeight(element.dataset['key'] ?? '', element.offsetHeight)
      observer.observe(element)
    },
    [],
  )
}
