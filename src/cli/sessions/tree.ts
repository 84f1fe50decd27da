/** A node; only a root has no parent. */
interface Branching {
  label: string
  parent: string | null
}

interface Drawn<Node> {
  node: Node
  /** The lanes of the tree beside the node, with `*` for the node itself. */
  lanes: string
}

/**
 * Draws nodes from top to bottom, each after its parent. The last child goes on in the lane of its parent, the others
 * begin a lane to the right of it.
 */
export const drawTree = <Node extends Branching>(nodes: readonly Node[]): Drawn<Node>[] => {
  const waiting = new Map<string, number>()
  for (const { parent } of nodes) if (parent !== null) waiting.set(parent, (waiting.get(parent) ?? 0) + 1)
  /** Whose next child a lane waits for; null: nobody's. */
  const lanes: (string | null)[] = []
  const drawLanes = (from: number, own: number): string =>
    Array.from({ length: Math.max(lanes.length, own + 1) }, (_each, lane) => {
      if (lane === own) return '* '
      const isUsed = lanes[lane] != null
      if (from === -1 || lane < from || lane > own) return isUsed ? '│ ' : '  '
      return lane === from ? '├─' : isUsed ? '┼─' : '──'
    })
      .join('')
      .trimEnd()
  return nodes.map((node) => {
    const { label, parent } = node
    const left = parent === null ? 0 : (waiting.get(parent) ?? 1) - 1
    if (parent !== null) waiting.set(parent, left)
    const from = parent === null ? -1 : lanes.indexOf(parent)
    const free = lanes.findIndex((lane, index) => lane === null && index > from)
    const own = from >= 0 && left === 0 ? from : free === -1 ? lanes.length : free
    const drawn = { node, lanes: drawLanes(from, own) }
    lanes[own] = waiting.has(label) ? label : null
    while (lanes.at(-1) === null) lanes.pop()
    return drawn
  })
}
