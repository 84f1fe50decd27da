// One line about work that takes a while: rewritten every second on a terminal, repeated now and then elsewhere.
const REPEAT_S = 20

/** Seconds as a person says them. */
export function describeSeconds(seconds) {
  const whole = Math.round(seconds)
  return whole < 100 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}

/** Says what has begun, and from time to time how far it has come; `done` says how long it took, `stop` says nothing. */
export function showProgress(label, detail = () => '') {
  const isTerminal = process.stdout.isTTY
  const began = performance.now()
  const line = (extra) => {
    const seconds = describeSeconds((performance.now() - began) / 1000)
    return `· ${label}: ${[extra, seconds].filter(Boolean).join(', ')}`
  }
  const clear = () => isTerminal && process.stdout.write('\r\x1b[K')
  const tell = () => {
    clear()
    if (isTerminal) process.stdout.write(line(detail()).slice(0, (process.stdout.columns ?? 80) - 1))
    else console.log(line(detail()))
  }
  if (!isTerminal) console.log(`· ${label}`)
  const timer = setInterval(tell, isTerminal ? 1000 : REPEAT_S * 1000)
  const stop = () => {
    clearInterval(timer)
    clear()
  }
  const done = (extra = '') => {
    stop()
    console.log(line(extra))
  }
  return { stop, done }
}
