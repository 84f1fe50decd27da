import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from './icon.tsx'

interface ModalProps {
  label: string
  onClose: () => void
  children: ComponentChildren
  /** A look of its own. */
  look?: string
}

/** A modal dialog of the browser: it keeps the focus inside and gives it back; Escape and a click outside close it. */
export const Modal = ({ label, onClose, children, look = '' }: ModalProps) => {
  const element = useRef<HTMLDialogElement>(null)
  /** A text that is selected may end outside. */
  const beganOutside = useRef(false)
  const isOutside = ({ target, clientX, clientY }: MouseEvent): boolean => {
    if (element.current === null || target !== element.current) return false
    const { left, right, top, bottom } = element.current.getBoundingClientRect()
    return clientX < left || clientX > right || clientY < top || clientY > bottom
  }
  useLayoutEffect(() => {
    const dialog = element.current
    dialog?.showModal()
    // One that is taken out of the document while it is open gives no focus back.
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={element}
      class={`dialog ${look}`}
      aria-label={label}
      onClose={() => {
        if (element.current !== null) onClose()
      }}
      onPointerDown={(event) => (beganOutside.current = isOutside(event))}
      onClick={(event) => {
        if (beganOutside.current && isOutside(event)) onClose()
      }}
    >
      {children}
    </dialog>
  )
}

type DialogProps = Pick<ModalProps, 'onClose' | 'children'> & { title: string }

/** With a title, and a button that closes it. */
export const Dialog = ({ title, onClose, children }: DialogProps) => (
  <Modal label={title} onClose={onClose}>
    <header class="dialog-head">
      <h2>{title}</h2>
      <button type="button" class="button button-plain" aria-label="Close" onClick={onClose}>
        <Icon name="close" />
      </button>
    </header>
    {children}
  </Modal>
)
