// Messages of the script: announcements for screen readers, and visible errors.

const SHOWN_MILLISECONDS = 10_000

/** Announces a sentence to screen readers. */
export function announce(sentence: string): void {
  const announcer = document.getElementById('announcer')
  if (announcer) announcer.textContent = sentence
}

/** Shows an error over the page until a timeout or the next page. */
export function complain(sentence: string): void {
  document.querySelector('.toast')?.remove()
  const toast = document.createElement('div')
  toast.classList.add('toast', 'notice', 'danger')
  toast.setAttribute('role', 'alert')
  toast.textContent = sentence
  toast.onclick = () => toast.remove()
  document.body.append(toast)
  setTimeout(() => toast.remove(), SHOWN_MILLISECONDS)
}
