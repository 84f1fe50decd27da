import { describe, expect, test } from 'vitest'
import { gitModeOf, oddMode, usualMode, usualModesOf } from './modes.ts'

const found = (...modes: [boolean, number][]): { isFile: boolean; mode: number }[] =>
  modes.map(([isFile, mode]) => ({ isFile, mode }))

describe('permissions', () => {
  test('are usual when most have them', () => {
    expect(usualModesOf([])).toEqual({ file: 0o644, program: 0o755, dir: 0o755 })
    expect(
      usualModesOf(found([true, 0o100664], [true, 0o100664], [true, 0o100600], [true, 0o100775], [false, 0o42775])),
    ).toEqual({
      file: 0o664,
      program: 0o775,
      dir: 0o2775,
    })
  })

  test('are remembered when they are not the usual ones', () => {
    const usual = usualModesOf([])
    expect([0o100644, 0o100755, 0o100600, 0o100700, 0o104755].map((mode) => oddMode(usual, 'file', mode))).toEqual([
      null,
      null,
      0o600,
      0o700,
      0o4755,
    ])
    expect([0o40755, 0o40700].map((mode) => oddMode(usual, 'dir', mode))).toEqual([null, 0o700])
    expect([gitModeOf(0o100744), gitModeOf(0o100677)]).toEqual(['100755', '100644'])
    expect([usualMode(usual, '100755'), usualMode(usual, '100644')]).toEqual([0o755, 0o644])
  })
})
