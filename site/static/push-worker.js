// Shows what the server pushes while no page is open, and opens its page. It answers no requests of pages and keeps nothing.
addEventListener('push', (event) => {
  const { title, body, url, tag } = event.data.json()
  event.waitUntil(registration.showNotification(title, { body, tag, data: url }))
})

addEventListener('notificationclick', (event) => {
  event.notification.close()
  const { href, origin } = new URL(event.notification.data, location.origin)
  if (origin === location.origin) event.waitUntil(clients.openWindow(href))
})

// The browser subscribed again, or its subscription ended: the server is told, as the account that is signed in.
addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(event)))

async function renew({ oldSubscription, newSubscription }) {
  const { pushManager } = registration
  const current = newSubscription ?? (await pushManager.getSubscription()) ?? (await subscribe())
  if (!current) return
  const { endpoint, keys } = current.toJSON()
  await fetch('/api/account/push', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ endpoint, keys, replaces: oldSubscription?.endpoint }),
  })
}

/** To the key that the server has now; nothing where no one is signed in or the server pushes nothing. */
async function subscribe() {
  const response = await fetch('/api/account/push')
  const { publicKey } = response.ok ? await response.json() : {}
  return publicKey && registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
}
