/** Something that came after something else; only a root comes after nothing. */
export interface Branching {
  label: string
  parent: string | null
}

export interface Drawn<Node> {
  node: Node
  /** The branches beside it, with `*` where it stands itself. */
  lanes: string
}

/** Whose next child a lane waits for; null if for nobody's. */
type Lanes = (string | null)[]

/**
 * Nodes from top to bottom, in an order in which each comes after its parent. The last child goes on in the lane of its
 * parent, the others begin one of their own to the right of it.
 */
export const drawTree = <Node extends Branching>(nodes: readonly Node[]): Drawn<Node>[] => {
  const waiting = countChildren(nodes)
  const lanes: Lanes = []
  return nodes.map((node) => {
    const left = takeChild(waiting, node.parent)
    const from = node.parent === null ? -1 : lanes.indexOf(node.parent)
    const own = from >= 0 && left === 0 ? from : freeLane(lanes, from)
    const drawn = { node, lanes: laneText(lanes, from, own) }
    lanes[own] = waiting.has(node.label) ? node.label : null
    while (lanes.at(-1) === null) lanes.pop()
    return drawn
  })
}

const countChildren = (nodes: readonly Branching[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const { parent } of nodes) if (parent !== null) counts.set(parent, (counts.get(parent) ?? 0) + 1)
  return counts
}

/** How many more children there will be. */
const takeChild = (waiting: Map<string, number>, parent: string | null): number => {
  if (parent === null) return 0
  const left = (waiting.get(parent) ?? 1) - 1
  waiting.set(parent, left)
  return left
}

const freeLane = (lanes: Lanes, from: number): number => {
  const free = lanes.findIndex((lane, index) => lane === null && index > from)
  return free === -1 ? lanes.length : free
}

const laneText = (lanes: Lanes, from: number, own: number): string => {
  const count = Math.max(lanes.length, own + 1)
  const cells = Array.from({ length: count }, (_each, lane) => {
    if (lane === own) return '* '
    const isUsed = lanes[lane] != null
    if (from === -1 || lane < from || lane > own) return isUsed ? '│ ' : '  '
    return lane === from ? '├─' : isUsed ? '┼─' : '──'
  })
  return cells.join('').trimEnd()
}
