// Trains one family, agents or people, for tools/train-commands.mjs, which says how.
import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'

const FOLDS = 4
const BATCH = 16
const RATE = 0.002
const DECAY = 0.01

const { bundles, files, family, isMeasured } = workerData
const modules = await Promise.all(bundles.map((file) => import(file)))
const { Predictor, emptyWeights, groupsOf, inReplayOrder, turns, readLine, ...stages } = Object.assign({}, ...modules)
const { makeTemplateRanker, templateFeatures, makeTextRanker, textFeatures } = stages

const STAGES = {
  template: { ranker: makeTemplateRanker, features: templateFeatures, epochs: 10, most: 25 },
  text: { ranker: makeTextRanker, features: textFeatures, epochs: 10, most: 113 },
}
const none = emptyWeights()

function dice(seed) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** The projects of one file, each with those before it. */
function projectsOf(file) {
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  return groupsOf(inReplayOrder(lines.map((line) => JSON.parse(line))))
    .filter(([first]) => (typeof first.agent === 'string' ? 'agent' : 'person') === family)
    .map((group, index, all) => ({ rows: group, fold: index % FOLDS, before: all.slice(0, index).flat() }))
}

/** What a stage sees before each command of a project, and which candidate was right. */
function examplesOf({ rows, before, fold }, stage, template) {
  const ranker = { template, text: none.agent.text }
  const predictor = new Predictor({ agent: ranker, person: ranker })
  for (const { event } of turns(before)) predictor.observe(event)
  return [...turns(rows)].map(({ event, moment }) => {
    const { templates, texts } = predictor.rank(moment)
    const { template: shape, text } = readLine(event.command)
    predictor.observe(event)
    const number = predictor.lexicon.templates.find(shape)
    const right =
      stage === 'template'
        ? templates.symbols.indexOf(number)
        : texts.candidates.findIndex((candidate) => candidate.line.text === text)
    return { matrix: (stage === 'template' ? templates : texts).matrix, right: right + 1, fold }
  })
}

/** Small random weights for the hidden units, none for the plain score. */
function firstWeights({ weights, features, hidden }) {
  const random = dice(7932)
  const plain = features * (hidden + 1)
  for (let index = 0; index < weights.length; index++) {
    const weight = (random() - 0.5) * (index < plain + hidden ? 0.3 : 0.2)
    weights[index] = index < plain && index % (hidden + 1) === hidden ? 0 : weight
  }
}

function train(stage, examples) {
  const { ranker: make, features, epochs, most } = STAGES[stage]
  const ranker = make(emptyWeights().agent[stage])
  firstWeights(ranker)
  const { weights } = ranker
  const [mean, square, slopes] = [0, 0, 0].map(() => new Float32Array(weights.length))
  const random = dice(1)
  const steps = Math.floor(examples.length / BATCH) * epochs
  for (let step = 1; step <= steps; step++) {
    slopes.fill(0)
    for (let item = 0; item < BATCH; item++) {
      const { matrix, right } = examples[Math.floor(random() * examples.length)]
      ranker.gradient(matrix, Math.min(matrix.length / features, Math.max(most, right + 1)), right, slopes)
    }
    const rate = RATE * (1 - step / steps) + 1e-5
    const [bias, spread] = [1 - 0.9 ** step, 1 - 0.999 ** step]
    for (let index = 0; index < weights.length; index++) {
      const slope = slopes[index] / BATCH
      mean[index] = 0.9 * mean[index] + 0.1 * slope
      square[index] = 0.999 * square[index] + 0.001 * slope * slope
      const direction = mean[index] / bias / (Math.sqrt(square[index] / spread) + 1e-6)
      weights[index] -= rate * (direction + DECAY * weights[index])
    }
  }
  return weights
}

const trainWithout = (stage, examples, left) =>
  train(
    stage,
    examples.filter(({ fold }) => fold !== left),
  )

const folds = Array.from({ length: FOLDS }, (_, fold) => fold)
const projects = files.flatMap(projectsOf)
const shapes = projects.flatMap((project) => examplesOf(project, 'template', none.agent.template))
const others = folds.map((left) => trainWithout('template', shapes, left))
const lines = projects.flatMap((project) => examplesOf(project, 'text', others[project.fold]))
const leftOut = isMeasured
  ? folds.map((left) => ({ template: others[left], text: trainWithout('text', lines, left) }))
  : []
parentPort.postMessage([{ template: train('template', shapes), text: train('text', lines) }, ...leftOut])
