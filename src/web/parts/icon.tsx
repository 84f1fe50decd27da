/** Drawn in a box of 16 with a line of 1.5. */
const paths = {
  agents: 'M2.5 4h11M2.5 8h11M2.5 12h7',
  question: 'M3 3.5h10v7H8l-3 2.5v-2.5H3zM8 5.2v2M8 8.6v.1',
  rooms: 'M2.5 3.5h8v5h-4l-2 2v-2h-2zM6.5 11h4l2 2v-2h1v-4.5h-1',
  tasks: 'M3 4.5l1.2 1.2L6.4 3.5M3 10.5l1.2 1.2 2.2-2.2M8.5 5h5M8.5 11h5',
  settings: 'M2.5 5h6M12.5 5h1M2.5 11h1M7.5 11h6M10.5 3.2v3.6M5.5 9.2v3.6',
  search: 'M7 2.8a4.2 4.2 0 1 1 0 8.4a4.2 4.2 0 0 1 0-8.4M10.2 10.2l3 3',
  plus: 'M8 3v10M3 8h10',
  play: 'M5 3.5l7 4.5l-7 4.5z',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  stop: 'M8 2.5v5M5.2 4.6a4.8 4.8 0 1 0 5.6 0',
  interrupt: 'M4.5 4.5h7v7h-7z',
  more: 'M3.5 8v.1M8 8v.1M12.5 8v.1',
  close: 'M4 4l8 8M12 4l-8 8',
  back: 'M9.5 3.5L5 8l4.5 4.5',
  down: 'M3.5 6L8 10.5L12.5 6',
  right: 'M6 3.5L10.5 8L6 12.5',
  send: 'M2.5 8l11-5l-4 10.5l-2-4.5z',
  check: 'M3 8.5l3.2 3.2L13 5',
  restart: 'M12.5 8a4.5 4.5 0 1 1-1.3-3.2M12.5 2.5v3h-3',
  branch:
    'M4.5 6v4M4.5 2.8a1.6 1.6 0 1 1 0 3.2a1.6 1.6 0 0 1 0-3.2M4.5 10a1.6 1.6 0 1 1 0 3.2a1.6 1.6 0 0 1 0-3.2M11.5 3.8a1.6 1.6 0 1 1 0 3.2a1.6 1.6 0 0 1 0-3.2M11.5 7c0 2-3 2-7 3',
  copy: 'M5.5 5.5h7v7h-7zM3.5 10.5v-7h7',
} as const

export type IconName = keyof typeof paths

/** Decoration: what it stands for is said in words beside it, or by the label of its button. */
export const Icon = ({ name, size = 16 }: { name: IconName; size?: number }) => (
  <svg class="icon" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
    <path d={paths[name]} />
  </svg>
)
