// The services with which a board can be linked.
export const services = ['github', 'gitlab', 'linear'] as const
