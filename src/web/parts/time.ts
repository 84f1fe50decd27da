const pad = (value: number): string => String(value).padStart(2, '0')

/** `14:03:22`, in the time zone of the reader. */
export const clockTime = (at: number): string => {
  const date = new Date(at)
  return `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`
}

const dayInYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const dayOfAny = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' })

/** `14:03:22`; with its date unless that is today. */
export const timeText = (at: number, now: number): string => {
  if (startOfDay(at) === startOfDay(now)) return clockTime(at)
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear()
  return `${(isThisYear ? dayInYear : dayOfAny).format(at)}, ${clockTime(at)}`
}

/** `12 s`, `5 min`, `3 h`, `2 d`: the largest unit that fits. */
export const ageText = (at: number, now: number): string => {
  const seconds = Math.max(0, Math.floor((now - at) / 1000))
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`
}

/** Midnight before it, where the reader is. */
export const startOfDay = (at: number): number => new Date(at).setHours(0, 0, 0, 0)
