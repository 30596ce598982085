// The site that signed a request (Web Bot Auth), for what the request writes. It is noted once the signature was found to be good, and never otherwise
// (surfaces/http/signed-requests.ts).

const signers = new WeakMap<Request, string>()

/** A host is at most that long, and a port has five digits. */
const MAX_SIGNER = 260

/** Notes whose keys a request was verified with, as `https://agent.example`. */
export function noteSigner(request: Request, site: string): void {
  const { host } = new URL(site)
  if (host.length <= MAX_SIGNER) signers.set(request, host)
}

/** The host of that site; undefined for a request that is not signed, or not verified now. */
export const signerOf = (request: Request): string | undefined => signers.get(request)
