// Exposes assembly/numerics/grid/multigrid to its test.
import { allocateF64, resetArena } from '../../assembly/kernel';

export {
  applyGrid,
  buildMultigrid,
  couplingsRight,
  couplingsUp,
  cycleGrid,
  gridEntry,
  gridSize,
  reserveMultigrid,
} from '../../assembly/numerics/grid/multigrid';
export { allocateF64, resetArena };
