// What a build can leave out beside features: a fork removes its line here, and what would use it says that it is not there
// (docs/decisions/2026-11-28-parts.md). Each is loaded when it is first used.

type Loader<Module> = () => Promise<Module>

interface OptionalModules {
  /** Reads of streaming replicas. */
  replicas?: Loader<Pick<typeof import('./database/replicas.ts'), 'Replicas'>>
  /** `backup --continuous`. */
  continuousBackup?: Loader<Pick<typeof import('./operator/shipping.ts'), 'ship'>>
  /** Pictures for sharing; without them links show the card of the site. */
  drawings?: Loader<Pick<typeof import('./storage/images.ts'), 'drawPng'>>
}

export const optional: OptionalModules = {
  replicas: () => import('./database/replicas.ts'),
  continuousBackup: () => import('./operator/shipping.ts'),
  drawings: () => import('./storage/images.ts'),
}
