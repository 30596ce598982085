// Sentences of the script: for who listens, and, where something did not work, for everybody to see.

const SHOWN_MILLISECONDS = 10_000

/** Tells those who listen to the page; there is nothing to see. */
export function announce(sentence: string): void {
  const announcer = document.getElementById('announcer')
  if (announcer) announcer.textContent = sentence
}

/** Says what did not work, over the page; it goes away by itself, and with the page. */
export function complain(sentence: string): void {
  document.querySelector('.toast')?.remove()
  const toast = document.createElement('div')
  toast.className = 'toast notice danger'
  toast.setAttribute('role', 'alert')
  toast.textContent = sentence
  toast.onclick = () => toast.remove()
  document.body.append(toast)
  setTimeout(() => toast.remove(), SHOWN_MILLISECONDS)
}
