import { describe, expect, test } from 'vitest'
import { KeyReader } from './keys.ts'
import { repaint, Screen } from './screen.ts'

describe('keys', () => {
  const read = (...chunks: string[]): unknown[] => {
    const heard: unknown[] = []
    const keys = new KeyReader({ key: (key) => heard.push(key), paste: (text) => heard.push({ text }) })
    for (const chunk of chunks) keys.read(chunk)
    return heard
  }

  test('are read from what a terminal sends', () => {
    expect(read('j\u001b[A\u001bOB\r\u001b[5~\u001b[1;5X\u007f/A')).toEqual([
      'j',
      'up',
      'down',
      'enter',
      'pageup',
      'backspace',
      '/',
      'A',
    ])
    expect(read('\t\u001b[Z\u000e\u0010\u001b[D\u001b[C\u001b[3~\u001b\r漢')).toEqual([
      'tab',
      'shift-tab',
      'ctrl-n',
      'ctrl-p',
      'left',
      'right',
      'delete',
      'newline',
      '漢',
    ])
    expect(read('\u001b')).toEqual(['escape'])
  })

  test('may come in pieces', () => {
    expect(read('\u001b[', '5', '~j')).toEqual(['pageup', 'j'])
  })

  test('pasted text is none, and holds nothing that steers', () => {
    expect(read('a\u001b[200~y\r\nx\t\u0007\u001b[Az\u001b[201~q')).toEqual(['a', { text: 'y\nx\tz' }, 'q'])
    expect(read('\u001b[200~a', 'y\u001b[201~q')).toEqual([{ text: 'a' }, { text: 'y' }, 'q'])
    expect(read('\u001b[20', '0~a\u001b', '[201', '~k\u001b[200~y\u0003')).toEqual([
      { text: 'a' },
      'k',
      'ctrl-c',
      { text: 'y' },
    ])
  })

  test('a view that wants no text gets none', () => {
    const heard: string[] = []
    new KeyReader({ key: (key) => heard.push(key) }).read('\u001b[200~y\u001b[201~q')
    expect(heard).toEqual(['q'])
  })
})

describe('the screen', () => {
  test('only lines that differ are written', () => {
    expect(repaint(['a', 'b', 'c'], ['a', 'x', 'c'])).toBe('\u001b[2;1H\u001b[Kx')
    expect(repaint(['a', 'b'], ['a'])).toBe('\u001b[2;1H\u001b[J')
    expect(repaint(['a'], ['a'])).toBe('')
  })

  test('is given back once, and nothing is drawn after that', () => {
    const written: string[] = []
    const screen = new Screen({ write: (text) => written.push(text) })
    screen.open()
    screen.draw(['a'])
    screen.close()
    screen.close()
    screen.draw(['b'])
    expect(written.slice(1)).toEqual(['\u001b[1;1H\u001b[Ka', expect.stringContaining('\u001b[?1049l')])
  })

  test('the cursor stands where somebody writes, and is hidden meanwhile', () => {
    const written: string[] = []
    const screen = new Screen({ write: (text) => written.push(text) })
    screen.open()
    screen.draw(['a'], { row: 0, column: 1 })
    screen.draw(['a'], { row: 0, column: 1 })
    screen.draw(['ab'], { row: 0, column: 2 })
    screen.draw(['ab'])
    expect(written.slice(1)).toEqual([
      '\u001b[1;1H\u001b[Ka\u001b[1;2H\u001b[?25h',
      '\u001b[?25l\u001b[1;1H\u001b[Kab\u001b[1;3H\u001b[?25h',
      '\u001b[?25l',
    ])
  })
})
