// The pictures of the people whom a page names: their own, or one that is made from their names. A component writes whose picture it wants
// (`faceOf`), and this puts in the addresses, by one call of the API for a page.
import { madeFace } from '#lib/ui/faces.ts'

/** As many as one call of the API answers. */
const MAX_FACES = 100
const WANTED = /(?<=<img class="avatar[^"]*" src=")\/avatars\/of\/([\w-]{3,24})(?=")/g

/** The page with the addresses of the pictures in it. A page without them comes up, should the API not answer. */
export async function withFaces({ api }: Pick<App.Locals, 'api'>, html: string): Promise<string> {
  const names = new Set([...html.matchAll(WANTED)].map(([, name = '']) => name.toLowerCase()))
  if (names.size === 0) return html
  const usernames = [...names].slice(0, MAX_FACES).join()
  const { items } = await api.members.cards({ usernames }).catch(() => ({ items: [] }))
  const uploaded = new Map(items.map(({ username, avatarUrl }) => [username.toLowerCase(), avatarUrl]))
  return html.replace(WANTED, (_, name: string) => uploaded.get(name.toLowerCase()) ?? madeFace(name))
}
