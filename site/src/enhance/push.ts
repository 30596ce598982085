// Notifications that are pushed to this browser: asks the reader, subscribes at the push service of the browser, and tells the server.
import { retry } from './again.ts'
import { clearFaults, fault } from './faults.ts'
import { visit } from './forms.ts'
import { serviceWorkerAt } from './trusted.ts'
import { said, word } from './words.ts'

/** Handles the button of the settings; `data-push` has the key of the server. */
export async function add(box: HTMLElement): Promise<void> {
  if (box.dataset.busy !== undefined) return
  clearFaults(box)
  box.dataset.busy = ''
  try {
    if ((await Notification.requestPermission()) !== 'granted') throw new Error(word('push.denied'))
    await tell(await subscribe(box.dataset.push!))
    await visit(`${location.pathname}?pushed#push`)
  } catch (error) {
    fault(box, { message: (error as Error).message })
  }
  delete box.dataset.busy
}

async function subscribe(applicationServerKey: string): Promise<PushSubscription> {
  const options = { userVisibleOnly: true, applicationServerKey }
  try {
    const { pushManager } = await serviceWorkerAt('/push-worker.js')
    return await pushManager.subscribe(options).catch(async (error: Error) => {
      // It is subscribed to an earlier key of the server.
      const earlier = error.name === 'InvalidStateError' ? await pushManager.getSubscription() : null
      if (!earlier) throw error
      await earlier.unsubscribe()
      return pushManager.subscribe(options)
    })
  } catch {
    throw new Error(word('push.failed'))
  }
}

async function tell(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON()
  const response = await fetch('/api/account/push', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ endpoint, keys }),
  }).catch(() => {
    throw new Error(word('push.offline'))
  })
  if (response.ok) return
  if (response.status === 429)
    throw new Error(word('push.tooMany', { retry: retry(Number(response.headers.get('retry-after'))) }))
  throw new Error(await said((await response.json()).message))
}
