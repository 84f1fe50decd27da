import type { Manifest } from './bundles/manifest.ts'
import type { BundleView } from '../../contract/routes/bundles.ts'

/** What a bundle says of itself, for whoever asks. */
export const bundleView = (manifest: Manifest): BundleView => {
  const { turns, from: _, at: __, start: ___, ...rest } = manifest
  return {
    ...rest,
    turns: turns.map(({ label, prompt, startedAt, model, files }) => ({
      label,
      prompt,
      startedAt,
      model,
      hasFiles: files !== null,
    })),
  }
}
