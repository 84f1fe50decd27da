/** All that the page does by itself: hide what is not wanted. */
export const script = `
const boxes = [...document.querySelectorAll('input[name]')]
const apply = () => {
  const off = (name) => new Set(boxes.filter((box) => box.name === name && !box.checked).map((box) => box.value))
  const [kinds, lanes] = [off('kind'), off('lane')]
  for (const one of document.querySelectorAll('.moment'))
    one.hidden = kinds.has(one.dataset.kind) || lanes.has(one.dataset.lane)
}
for (const box of boxes) box.addEventListener('change', apply)
apply()
document.querySelector('.filters').hidden = false
`
