#include "model/graph.h"

uint32_t mv_graph_operand(const mv_graph *g, uint32_t i, uint64_t k) {
  const mv_node *node = &g->nodes[i];
  return k < node[1].first_operand - node->first_operand ? g->operands[node->first_operand + k] : MV_NONE;
}

uint32_t mv_graph_called(const mv_graph *g, uint32_t i, uint64_t k) {
  const mv_node *node = &g->nodes[i];
  return k < node[1].first_called - node->first_called ? g->called[node->first_called + k] : MV_NONE;
}

uint32_t mv_graph_parameter(const mv_graph *g, uint32_t c, uint64_t k) {
  const mv_graph_computation *computation = &g->computations[c];
  return k < computation->parameter_count ? g->parameters[computation->first_parameter + k] : MV_NONE;
}

uint32_t mv_graph_argument(const mv_graph *g, uint32_t caller, uint64_t k) {
  const mv_node *node = &g->nodes[caller];
  if (k < node[1].first_operand - node->first_operand) {
    return g->operands[node->first_operand + k];
  }
  uint32_t low = 0;
  uint32_t high = g->late_count;
  while (low < high) { /* the first entry behind the one that holds k */
    const uint32_t middle = low + (high - low) / 2;
    const mv_late_operands *late = &g->late[middle];
    if (late->start < caller || (late->start == caller && late->first_number <= k)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == 0 || g->late[low - 1].start != caller) {
    return MV_NONE;
  }
  return mv_graph_operand(g, g->late[low - 1].update, k - g->late[low - 1].first_number + 1);
}

uint32_t mv_graph_called_root(const mv_graph *g, uint32_t i, uint64_t k) {
  const uint32_t c = mv_graph_called(g, i, k);
  return c != MV_NONE ? g->computations[c].root : MV_NONE;
}

bool mv_graph_is_argument(const mv_graph *g, uint32_t i) {
  return g->nodes[i].opcode == MV_OPCODE_PARAMETER && g->nodes[i].computation == g->entry;
}
